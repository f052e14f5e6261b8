// From pointing at cells to moves: which moves begin at a cell, where they lead, and what is left to
// choose.
import type { LegalMove } from "./api";

// Made by pointing once; the others lead from one cell to another.
export const isPointed = (move: LegalMove) => move.kind !== "move";

// The cells where a move can begin.
export function origins(legal: LegalMove[]): Set<number> {
  return new Set(legal.flatMap((move) => (move.kind === "drop" ? move.cells : move.cells.slice(0, 1))));
}

export function movesFrom(legal: LegalMove[], cell: number): LegalMove[] {
  return legal.filter((move) => (move.kind === "drop" ? move.cells.includes(cell) : move.cells[0] === cell));
}

export function movesBetween(legal: LegalMove[], from: number, to: number): LegalMove[] {
  return legal.filter((move) => move.kind === "move" && move.cells[0] === from && move.cells[1] === to);
}

// The cells to be marked for moves that are made at one cell among the empty ones: where most
// are allowed, nobody needs to be told.
export function markedPlaces(legal: LegalMove[], empty: number): Set<number> {
  const made = legal.filter((move) => move.kind === "place" || move.kind === "draft");
  const places = new Set(made.flatMap((move) => move.cells));
  return new Set(2 * places.size <= empty ? places : []);
}

// The cells where something stands after a move.
export function covered(move: LegalMove): number[] {
  return move.kind === "cover" ? move.cells : move.cells.slice(...(isPointed(move) ? [0, 1] : [1]));
}

// Where the keyboard and the pointer find a move: where it leads, or the first cell that it covers.
export const placeOfMove = (move: LegalMove): number | undefined => covered(move)[0];
