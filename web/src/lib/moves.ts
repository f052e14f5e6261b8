// From pointing at cells to moves: which moves begin at a cell, where they lead, and what is left
// to choose.
import type { LegalMove } from "./api";

// The cells where a move can begin. A move that touches one cell, or lies on several, begins where
// it ends.
export function origins(legal: LegalMove[]): Set<number> {
  return new Set(legal.filter((move) => move.cells.length > 0).map((move) => move.cells[0]!));
}

export function movesFrom(legal: LegalMove[], cell: number): LegalMove[] {
  return legal.filter((move) => move.cells[0] === cell);
}

export function movesBetween(legal: LegalMove[], from: number, to: number): LegalMove[] {
  return legal.filter((move) => move.cells[0] === from && move.cells[1] === to);
}

// Moves that are made by pointing once: they cover cells instead of leading from one to another.
export function isPlacement(move: LegalMove, covers: boolean): boolean {
  return covers || move.cells.length === 1;
}

// A move that people wrote, in the letters of their language first: as it stands, or without regard
// to case and signs.
export function findWritten(legal: LegalMove[], text: string, translated = text): string {
  const plain = (move: string) => move.replace(/[+#x]/g, "").toLowerCase();
  for (const meant of [translated, text]) {
    const exact = legal.find((move) => move.move === meant);
    if (exact) return exact.move;
    const alike = legal.filter((move) => plain(move.move) === plain(meant));
    if (alike.length === 1) return alike[0]!.move;
  }
  return text;
}
