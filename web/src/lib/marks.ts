// What a player thinks of the moves, as marks on the board.
import type { Analysis, LegalMove, Probabilities } from "./api";
import { colourOf, shortText, worth } from "./values";

export interface Mark {
  move: string;
  cells: number[];
  text: string;
  colour: string;
  strength: number; // from 0 to 1
}

// At most `most` moves, the best first; the share of visits or the prior is how strong they are.
export function marksOf(analysis: Analysis, legal: LegalMove[], most: number): Mark[] {
  const cells = new Map(legal.map((move) => [move.move, move.cells]));
  const visits = Math.max(1, ...analysis.moves.map((move) => move.visits ?? 0));
  const priors = Math.max(1e-9, ...analysis.moves.map((move) => move.prior ?? 0));
  const marks: Mark[] = [];
  for (const [place, move] of analysis.moves.entries()) {
    const touched = cells.get(move.move);
    if (touched === undefined || touched.length === 0 || marks.length === most) continue;
    const share =
      move.visits !== null
        ? move.visits / visits
        : move.prior !== null
          ? move.prior / priors
          : 1 - place / analysis.moves.length;
    marks.push({
      move: move.move,
      cells: touched,
      text: shortText(move),
      colour: colourOf(worth(move) ?? 0),
      strength: Math.max(0.1, share),
    });
  }
  return marks;
}

export type Show = "values" | "policy" | "heat-policy" | "heat-value";

// Cells by what the moves there are worth, or by how likely they are: a cell is where a move ends,
// or all that it covers. From -1 to 1; null where no move leads.
export function tintOf(analysis: Analysis, legal: LegalMove[], cells: number, show: Show, covers: boolean): (number | null)[] {
  const tint = Array<number | null>(cells).fill(null);
  const touched = new Map(legal.map((move) => [move.move, move.cells]));
  const visits = analysis.moves.reduce((sum, move) => sum + (move.visits ?? 0), 0);
  for (const move of analysis.moves) {
    const its = touched.get(move.move) ?? [];
    const worthOf = show === "heat-value" ? worth(move) : (move.prior ?? (visits > 0 ? (move.visits ?? 0) / visits : null));
    if (worthOf === null) continue;
    for (const cell of covers ? its : its.slice(-1)) {
      const before = tint[cell] ?? null;
      tint[cell] = show === "heat-value" ? Math.max(before ?? -1, worthOf) : (before ?? 0) + worthOf;
    }
  }
  if (show === "heat-value") return tint;
  const largest = Math.max(1e-9, ...tint.map((one) => one ?? 0));
  return tint.map((one) => (one === null ? null : one / largest));
}

export function heatOf(probability: (number | null)[][] | undefined): (number | null)[] {
  return (probability ?? []).flat();
}

export function isBoard(
  analysis: Analysis & Partial<Probabilities>,
): analysis is Analysis & Probabilities {
  return analysis.probability !== undefined;
}
