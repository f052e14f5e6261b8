// What a player thinks of the moves, as marks on the board.
import type { Analysis, LegalMove, Probabilities } from "./api";
import { covered } from "./moves";
import { colourOf, shortText, worth } from "./values";

export interface Mark extends LegalMove {
  text: string;
  colour: string;
  strength: number; // from 0 to 1
}

// At most `most` moves, the best first; the share of visits or the prior is how strong they are.
export function marksOf(analysis: Analysis, legal: LegalMove[], most: number): Mark[] {
  const known = new Map(legal.map((move) => [move.move, move]));
  const visits = Math.max(1, ...analysis.moves.map((move) => move.visits ?? 0));
  const priors = Math.max(1e-9, ...analysis.moves.map((move) => move.prior ?? 0));
  const marks: Mark[] = [];
  for (const [place, move] of analysis.moves.entries()) {
    const its = known.get(move.move);
    if (its === undefined || its.cells.length === 0 || marks.length === most) continue;
    const share =
      move.visits !== null
        ? move.visits / visits
        : move.prior !== null
          ? move.prior / priors
          : 1 - place / analysis.moves.length;
    marks.push({
      ...its,
      text: shortText(move),
      colour: colourOf(worth(move) ?? 0),
      strength: Math.max(0.1, share),
    });
  }
  return marks;
}

export type Show = "values" | "policy" | "heat-policy" | "heat-value";

// Cells by what the moves that end there are worth, or by how likely they are. From -1 to 1; null
// where no move leads.
export function tintOf(analysis: Analysis, legal: LegalMove[], cells: number, show: Show): (number | null)[] {
  const tint = Array<number | null>(cells).fill(null);
  const touched = new Map(legal.map((move) => [move.move, covered(move)]));
  const visits = analysis.moves.reduce((sum, move) => sum + (move.visits ?? 0), 0);
  for (const move of analysis.moves) {
    const worthOf = show === "heat-value" ? worth(move) : (move.prior ?? (visits > 0 ? (move.visits ?? 0) / visits : null));
    if (worthOf === null) continue;
    for (const cell of touched.get(move.move) ?? []) {
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
