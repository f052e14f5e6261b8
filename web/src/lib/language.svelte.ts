// English and French. A text is looked up by its English form, the key of languages/fr.json, before
// its places are filled in; texts of games come with their French from the program.
import french from "../../languages/fr.json";
import type { Game } from "./api";

// What options of games and their values are called; another game's are shown by their names.
const optionNames: Record<string, string> = {
  board: "Board",
  first: "First cell",
  winner: "Four high, who wins",
  retreat: "Who retreats",
  maxply: "Most plies",
  variant: "Variant",
  start: "Start",
  repetition: "Repetitions",
  moves: "Quiet moves",
  material: "No mate possible",
  beginner: "beginner",
  intermediate: "intermediate",
  expert: "expert",
  safe: "no bomb",
  opening: "a zero",
  any: "any",
  mover: "the mover",
  rooster: "the rooster's owner",
  stack: "the whole stack",
  carried: "the carried",
  standard: "standard",
  draw: "a draw",
  play: "play on",
};

// What an option of a game, or its value, is called.
export function optionText(name: string): string {
  return tr(optionNames[name] ?? name);
}

// Moves have the letters of the language: Nf3 is Cf3 in French.
export function moveText(game: Game, move: string): string {
  const letters = game.letters[current.language] ?? {};
  return [...move].map((letter) => letters[letter] ?? letter).join("");
}

// A move that was written in the language of the page, as the program has it.
export function moveWritten(game: Game, text: string): string {
  const letters = Object.entries(game.letters[current.language] ?? {});
  return [...text].map((letter) => letters.find(([, its]) => its === letter)?.[0] ?? letter).join("");
}

export type Language = "en" | "fr";

function preferred(): Language {
  const kept = typeof localStorage === "undefined" ? null : localStorage.getItem("language");
  if (kept === "en" || kept === "fr") return kept;
  const asked = typeof navigator === "undefined" ? "en" : navigator.language;
  return asked.startsWith("fr") ? "fr" : "en";
}

const current = $state({ language: preferred() });

export function language(): Language {
  return current.language;
}

export function setLanguage(chosen: Language) {
  current.language = chosen;
  localStorage.setItem("language", chosen);
  showLanguage();
}

export function showLanguage() {
  document.documentElement.lang = current.language;
}

const catalogue: Record<string, string | { one: string; other: string }> = french;

function translated(english: string): string {
  const found = current.language === "fr" ? catalogue[english] : undefined;
  return typeof found === "object" ? found.one : (found ?? english);
}

export function filled(form: string, places: (string | number)[]): string {
  let next = 0;
  return form.replace(/\{\}/g, (place) => String(places[next++] ?? place));
}

// A text in the language of the page, its places filled in; itself where the catalogue lacks it.
export function tr(english: string, ...places: (string | number)[]): string {
  return filled(translated(english), places);
}

// A text that the program has filled in, which comes with its translations.
export function inLanguage(english: string, translations: Record<string, string>): string {
  return translations[current.language] ?? english;
}

// A number as the page's language writes it.
export function number(value: number, digits = 0): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(current.language, fraction);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
