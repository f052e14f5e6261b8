// How pieces look on this page: the one table from their roles to shapes and words. Paths stand in a
// square of 100 units.
import type { Token } from "./api";
import { tr } from "./language.svelte";

export type Form = "figure" | "tile" | "disc" | "domino" | "block" | "flag" | "mine" | "number" | "text";

interface Shape {
  form: Form;
  word: string; // English
  path?: string;
}

const shapes: Record<string, Shape> = {
  disc: { form: "disc", word: "disc" },
  "domino-up": { form: "domino", word: "domino" },
  "domino-down": { form: "domino", word: "domino" },
  "domino-left": { form: "domino", word: "domino" },
  "domino-right": { form: "domino", word: "domino" },
  block: { form: "block", word: "covered" },
  flag: { form: "flag", word: "flag", path: "M34 14h8v4c12-6 20 6 34 0v30c-14 6-22-6-34 0v36h10v6H24v-6h10z" },
  bomb: {
    form: "mine",
    word: "bomb",
    path: "M46 10h8v12a28 28 0 0 1 12 5l9-9 6 6-9 9a28 28 0 0 1 5 12h12v9H77a28 28 0 0 1-5 12l9 9-6 6-9-9a28 28 0 0 1-12 5v12h-8V77a28 28 0 0 1-12-5l-9 9-6-6 9-9a28 28 0 0 1-5-12H11v-9h12a28 28 0 0 1 5-12l-9-9 6-6 9 9a28 28 0 0 1 12-5z",
  },
  cross: { form: "figure", word: "cross", path: "M22 10L50 38L78 10L90 22L62 50L90 78L78 90L50 62L22 90L10 78L38 50L10 22z" },
  nought: { form: "figure", word: "nought", path: "M50 10a40 40 0 1 0 .1 0zM50 28a22 22 0 1 1-.1 0z" },
  pawn: {
    form: "figure",
    word: "pawn",
    path: "M50 18a14 14 0 0 1 9 25c6 3 9 7 9 9H58c1 14 6 20 14 26v8H28v-8c8-6 13-12 14-26H32c0-2 3-6 9-9a14 14 0 0 1 9-25z",
  },
  rook: { form: "figure", word: "rook", path: "M26 18h12v9h7v-9h10v9h7v-9h12v22l-9 8 3 28 8 4v10H24V80l8-4 3-28-9-8z" },
  knight: {
    form: "figure",
    word: "knight",
    path: "M30 90c-2-20 10-30 20-38l-14 5-10 3-8-8 12-22c4-8 10-13 18-14l2-8 8 7c18 3 27 20 26 44-1 14-3 22-1 31z",
  },
  bishop: {
    form: "figure",
    word: "bishop",
    path: "M50 10a7 7 0 0 1 5 12c12 8 19 18 19 29 0 9-5 14-11 17l4 10 9 4v8H24v-8l9-4 4-10c-6-3-11-8-11-17 0-11 7-21 19-29a7 7 0 0 1 5-12z",
  },
  queen: {
    form: "figure",
    word: "queen",
    path: "M12 30a6 6 0 1 1 9 5l13 17 4-24a6 6 0 1 1 6-1l6 25 6-25a6 6 0 1 1 6 1l4 24 13-17a6 6 0 1 1 6 2L74 70l2 8 6 4v8H18v-8l6-4 2-8-11-33a6 6 0 0 1-3-7z",
  },
  king: {
    form: "figure",
    word: "king",
    path: "M45 6h10v8h8v9h-8v9c8-5 20-6 26 2 7 10 0 24-9 33l2 11 8 4v8H18v-8l8-4 2-11c-9-9-16-23-9-33 6-8 18-7 26-2v-9h-8v-9h8z",
  },
  donkey: {
    form: "tile",
    word: "donkey",
    path: "M30 8c8 2 13 14 14 24h12c1-10 6-22 14-24 6 8 4 22-4 32 4 8 6 18 4 28-2 14-10 24-20 24s-18-10-20-24c-2-10 0-20 4-28-8-10-10-24-4-32zm10 44a4 4 0 1 0 .1 0zm20 0a4 4 0 1 0 .1 0zM43 76a3 3 0 1 0 .1 0zm14 0a3 3 0 1 0 .1 0z",
  },
  dog: {
    form: "tile",
    word: "dog",
    path: "M22 22c8-6 14-6 20-2h16c6-4 12-4 20 2 8 8 10 26 6 40l-10-6c0 18-10 34-24 34S26 74 26 56l-10 6c-4-14-2-32 6-40zm17 24a5 5 0 1 0 .1 0zm22 0a5 5 0 1 0 .1 0zM50 62c-6 0-9 3-9 6 0 4 5 8 9 8s9-4 9-8c0-3-3-6-9-6z",
  },
  cat: {
    form: "tile",
    word: "cat",
    path: "M18 12l20 16h24l20-16c4 14 4 24 2 34 2 24-12 42-34 42S14 70 16 46c-2-10-2-20 2-34zm20 36c-4 0-6 4-6 7h12c0-3-2-7-6-7zm24 0c-4 0-6 4-6 7h12c0-3-2-7-6-7zM50 64l-6 4 6 6 6-6z",
  },
  rooster: {
    form: "tile",
    word: "rooster",
    path: "M40 6c6 0 8 4 9 8 3-5 8-6 11-2 3-2 9 0 9 7 0 4-2 7-5 9 8 5 12 12 12 20l14 6-14 8c0 18-10 30-26 30S24 80 24 62c0-16 4-26 14-34-4-3-6-7-5-12 0-6 3-10 7-10zm18 32a5 5 0 1 0 .1 0zM68 66c4 4 5 12 0 16-5-3-6-10-4-15z",
  },
};

// Pieces that this page does not know are their first letter.
export function formOf(token: Token): { form: Form; path: string; text: string } {
  const number = /^number-(\d)$/.exec(token.role)?.[1];
  if (number !== undefined) return { form: "number", path: "", text: number };
  const shape = shapes[token.role];
  return shape ? { form: shape.form, path: shape.path ?? "", text: "" } : { form: "text", path: "", text: token.role.charAt(0).toUpperCase() };
}

// What a piece is called.
export function pieceName(token: Token): string {
  const { form, text } = formOf(token);
  if (form === "number") return text;
  if (form === "text") return token.role;
  return tr(token.state === "moved" ? "disc that has moved" : shapes[token.role]!.word);
}
