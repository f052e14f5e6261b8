// What a player thinks of moves, as words, signs and colours. Colours are told apart by people of
// every sight, and each has a sign beside it.
import type { Grade, MoveView } from "./api";

// What is certain first: wins, the nearest first, then draws, then losses, the farthest first; where
// nothing is, the order stays.
export function ordered(moves: MoveView[]): MoveView[] {
  if (moves.some((move) => !move.exact)) return moves;
  const rank = ({ exact }: MoveView) => {
    const distance = exact!.distance ?? 0;
    return { win: -1e6 + distance, draw: 0, loss: 1e6 - distance }[exact!.value];
  };
  return [...moves].sort((a, b) => rank(a) - rank(b));
}

export type Verdict = "win" | "draw" | "loss";

// The expected result for the side to move, from -1 to 1; exact where it is known.
export function worth(move: MoveView): number | null {
  if (move.exact) return move.exact.value === "win" ? 1 : move.exact.value === "loss" ? -1 : 0;
  return move.value;
}

export function verdictOf(value: number): Verdict {
  return value > 0.25 ? "win" : value < -0.25 ? "loss" : "draw";
}

export const signs: Record<Verdict, string> = { win: "+", draw: "=", loss: "−" };

// "+3" wins in three plies, "=" draws, "−" loses; else a probability in percent.
export function shortText(move: MoveView): string {
  if (move.exact) {
    const { value, distance } = move.exact;
    return signs[value] + (value !== "draw" && distance !== null ? distance : "");
  }
  if (move.value !== null) return `${Math.round(50 * (1 + move.value))}`;
  if (move.prior !== null) return `${Math.round(100 * move.prior)}`;
  return "";
}

export function percent(probability: number): string {
  if (probability <= 0) return "0";
  if (probability >= 1) return "100";
  if (probability < 0.01) return "<1";
  if (probability > 0.99) return ">99";
  return `${Math.round(100 * probability)}`;
}

// From orange (bad) over grey to blue (good).
export function colourOf(value: number): string {
  const clamped = Math.max(-1, Math.min(1, value));
  const [from, to] = clamped < 0 ? [[128, 128, 128], [213, 94, 0]] : [[128, 128, 128], [0, 114, 178]];
  const share = Math.abs(clamped);
  const mixed = from!.map((channel, i) => Math.round(channel + (to![i]! - channel) * share));
  return `rgb(${mixed.join(",")})`;
}

// From orange over white to blue, for pictures of numbers between -1 and 1.
export function signedColour(value: number): string {
  const share = Math.sqrt(Math.min(1, Math.abs(value)));
  const to = value < 0 ? [213, 94, 0] : [0, 114, 178];
  return `rgb(${to.map((channel) => Math.round(245 + (channel - 245) * share)).join(",")})`;
}

export const gradeSigns: Record<Grade, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
