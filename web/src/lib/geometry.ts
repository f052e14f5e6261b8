// Where the cells of a picture are drawn, and how they are called.
import type { Cell, Picture } from "./api";

export const cellSize = 100;
export const margin = 34;

export interface Place {
  row: number;
  col: number;
}

// As a person sees it: a board that was turned has its last cell first.
export function placeOf(picture: Picture, cell: number, turned: boolean): Place {
  const row = Math.floor(cell / picture.cols);
  const col = cell % picture.cols;
  return turned ? { row: picture.rows - 1 - row, col: picture.cols - 1 - col } : { row, col };
}

export function cellAt(picture: Picture, place: Place, turned: boolean): number {
  const { row, col } = turned
    ? { row: picture.rows - 1 - place.row, col: picture.cols - 1 - place.col }
    : place;
  return row * picture.cols + col;
}

export function centreOf(picture: Picture, cell: number, turned: boolean): [number, number] {
  const { row, col } = placeOf(picture, cell, turned);
  return [margin + (col + 0.5) * cellSize, margin + (row + 0.5) * cellSize];
}

// "e4", or what a point is called.
export function cellName(picture: Picture, cell: number): string {
  const { row, col } = placeOf(picture, cell, false);
  const column = picture.col_labels[col];
  return column === undefined ? (picture.cells[cell]?.label ?? String(cell)) : `${column}${picture.row_labels[row]}`;
}

// What stands on a cell.
export const standing = (cell: Cell) => cell.tokens.filter((token) => token.role !== "");

// Where the arrow keys lead from a cell.
export function neighbour(picture: Picture, cell: number, key: string, turned: boolean): number {
  const { row, col } = placeOf(picture, cell, turned);
  const next = {
    ArrowUp: { row: row - 1, col },
    ArrowDown: { row: row + 1, col },
    ArrowLeft: { row, col: col - 1 },
    ArrowRight: { row, col: col + 1 },
    Home: { row, col: 0 },
    End: { row, col: picture.cols - 1 },
  }[key];
  if (!next) return cell;
  if (next.row < 0 || next.row >= picture.rows || next.col < 0 || next.col >= picture.cols) {
    return cell;
  }
  return cellAt(picture, next, turned);
}
