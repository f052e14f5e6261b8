// What the server offers, with types; docs/workbench.md describes it.
import { server } from "./server.svelte";

export interface Level {
  level: number;
  player: string;
  elo: number | null;
}

export interface RuleOption {
  name: string;
  default: string;
  expected: string;
  help: string;
}

export interface Game {
  name: string;
  title: string;
  summary: string;
  players: number;
  hidden_information: boolean;
  sides: [string, string];
  options: RuleOption[];
  presets: ({ name: string } & Record<string, string>)[];
  opponents: string[];
  rules: string;
  notation: string;
  solved: boolean;
  strongest: string;
  levels: Level[];
  editable: boolean; // positions can be put together by hand
  format: string | null; // of its finished games for other programs: how such a file's name ends
  letters: Partial<Record<string, Record<string, string>>>; // of its moves, by language, in place of the English ones
}

export interface Games {
  games: Game[];
  public: boolean;
}

// A saved game, as `damier play --load` reads it.
export interface GameState {
  schema?: string;
  game: string;
  rules?: Record<string, string>;
  seed?: number;
  position?: string;
  moves: string[];
  players?: string[];
  seconds?: number;
  resigned?: string;
}

export interface Token {
  role: string;
  side?: 0 | 1;
  state?: string;
}

export type Colour = "white" | "black" | "blue" | "green" | "orange" | "purple" | "red" | "yellow";

export interface Cell {
  tokens: Token[];
  shade?: "covered" | "highlight";
  dark?: boolean;
  label?: string;
}

export interface Picture {
  rows: number;
  cols: number;
  layout: "cells" | "points";
  ruled: boolean;
  chequered: boolean;
  facing: boolean; // the second side sees the board turned
  colours: [Colour, Colour];
  row_labels: string[];
  col_labels: string[];
  links: [number, number][];
  caption: string; // with pieces at its places "{}"
  caption_in: Record<string, string>; // by language
  caption_pieces: Token[][];
  cells: Cell[];
}

export interface LegalMove {
  move: string;
  kind: string; // "move", "cover", "drop"; others are made at one cell: "place", "open", "flag"
  cells: number[];
  piece?: string; // the role of what is put there, where there is a choice
}

export type Outcome = "ongoing" | "first" | "second" | "draw";

export interface Position {
  game: string;
  state: GameState;
  position: string;
  side: string;
  to_move: 0 | 1;
  outcome: Outcome;
  ending: string;
  ending_in: Record<string, string>; // by language
  plies: number;
  legal: LegalMove[];
  figures: { name: string; value: number }[];
  picture: Picture;
}

export interface Answer {
  played: Position | null; // after the move that was sent
  move: string | null; // of the player; none: the game is over
  position: Position;
}

// A position put together by hand.
export interface Edited {
  pieces: Token[]; // what can be put on a cell
  board: { cells: Token[][]; to_move: 0 | 1 };
  picture: Picture;
  position: string;
  error: string | null; // why the game has no such position
}

export interface MoveView {
  move: string;
  value: number | null;
  visits: number | null;
  prior: number | null;
  exact: { value: "win" | "draw" | "loss"; distance: number | null } | null;
}

export interface Analysis {
  game: string;
  position: string;
  player: string;
  moves: MoveView[];
  pv: string[];
  nodes: number;
  seconds: number;
}

export type Grade = "inaccuracy" | "mistake" | "blunder";

// What a move that was played was worth, for who played it.
export interface JudgedMove {
  ply: number; // from 1
  move: string;
  value: number | null;
  best: string | null; // a better move
  best_value: number | null;
  loss: number | null;
  judgement: Grade | null;
}

// Of a game with hidden information.
export interface Probabilities {
  rows: number;
  cols: number;
  bombs: number;
  arrangements: number | string;
  probability: (number | null)[][];
  network?: (number | null)[][];
}

export interface Model {
  name: string;
  ships: boolean;
  title: string;
  game: string;
  parameters: number;
  path?: string;
  player: string;
}

export interface LayerSpec {
  type: string;
  layers?: LayerSpec[];
  [key: string]: unknown;
}

export interface Inspection {
  parameters: number;
  bits: number;
  file_bytes: number;
  memory_bytes: number;
  network: { input: number[]; layers: LayerSpec[]; heads?: Record<string, unknown> };
  weights: {
    name: string;
    shape: number[];
    mean: number;
    deviation: number;
    lowest: number;
    highest: number;
  }[];
  origin: Record<string, string>;
  card: string | null;
}

export interface Run {
  run: string;
  kind: string;
  game: string;
  options: Record<string, string>;
  config: Record<string, unknown>;
  seed: number;
  started: string;
  finished: string | null;
  status: string;
  summary: Record<string, unknown> | null;
  games?: number;
  metrics?: Record<string, [number, number][]>;
}

export interface RunGame {
  number: number;
  first: string;
  second: string;
  opening: string;
  outcome: string;
  plies: number;
  moves: string;
}

export interface Standing {
  player: string;
  elo: number | null;
  interval: [number | null, number | null];
  games: number;
  score: number;
}

export interface RunGames {
  run: string;
  game: string;
  options: Record<string, string>;
  count: number;
  from: number; // how many of them stand before those below
  anchor: string | null; // whose rating is 0
  standings: Standing[];
  games: RunGame[];
}

export interface Job {
  job: number;
  command: string;
  status: "running" | "done" | "stopped" | "failed";
  code: number | null;
  output: string;
  messages: string;
}

// What an experiment gave here.
export interface OurResult {
  quick: boolean;
  seed: number;
  seconds: number;
  rows: {
    what: string;
    published: string | null;
    is_goal: boolean;
    ours: number;
    interval: [number | null, number | null] | null;
    n: number;
    kind: string;
    verdict: "reached" | "within" | "missed" | null;
  }[];
}

export interface Experiment {
  name: string;
  title: string;
  source: string;
  url: string | null;
  published: { what: string; value: string | null }[];
  seconds: { full: number; quick: number };
  ours: { full: OurResult | null; quick: OurResult | null };
}

// What a network makes of a position, layer by layer, and which cells matter to it.
export interface NetworkView {
  layers: { name: string; shape: number[]; mean: number; largest: number; active: number }[];
  layer: { name: string; shape: number[]; values: number[] } | null;
  moves: string[];
  answers: number[];
  matters: number[][]; // by move and cell: how much less is left without the cell
  value: number | null;
  value_matters: number[] | null;
}

export interface Weights {
  name: string;
  shape: number[];
  shown: [number, number, number]; // outputs, inputs, taps
  values: number[];
}

// The server refused; its words are for people.
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const pageName = Math.random().toString(36).slice(2, 12);

// Where nobody answers, or nobody is let in, the page itself says so (ServerGone): such a refusal has
// no words.
async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    server.state = "gone";
    throw new Refusal(0, "");
  }
  if (response.status === 403 && !server.isPublic) {
    server.state = "locked";
    throw new Refusal(403, "");
  }
  server.state = "here";
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  if (!response.ok) throw new Refusal(response.status, body.error ?? response.statusText);
  return body as T;
}

export async function get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const words = new URLSearchParams(query).toString();
  return ask<T>(words === "" ? path : `${path}?${words}`);
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

export const position = (state: GameState, move?: string) =>
  post<Position>("/api/position", move === undefined ? { state } : { state, move });

// What a player answers: to the position, or to a move that is played there first. The position after
// that move comes as an event, too ("played"), before the player has thought.
export const answer = (state: GameState, player: string, move?: string) =>
  post<Answer>("/api/answer", { state, player, page: pageName, task: "answer", ...(move === undefined ? {} : { move }) });

export const edit = (state: GameState, change: { board?: Edited["board"]; cell?: number; piece?: Token } = {}) =>
  post<Edited>("/api/edit", { state, ...change });

// A file that was opened; the title says who played, where it says so.
export const readGame = (name: string, text: string) =>
  post<{ position: Position; title: string }>("/api/read-game", { name, text });

// A game in the form that other programs read.
export const writeGame = (state: GameState) => post<{ name: string; text: string }>("/api/write-game", { state });

export const analyze = (state: GameState, player: string, task: string) =>
  post<Analysis & Partial<Probabilities>>("/api/analyze", { state, player, page: pageName, task });

// The moves of a game from number `from` on; each also comes as an event ("judged"). Fewer come back
// where the server's time for one thought was over.
export const analyzeGame = (state: GameState, player: string, from: number, task: string) =>
  post<{ moves: JudgedMove[] }>("/api/analyze-game", { state, player, from, page: pageName, task });

export const networkView = (state: GameState, model: string, layer: string) =>
  post<NetworkView>("/api/network", { state, model, layer, page: pageName, task: "network" });

// A seed whose board can be won without guessing after this first move.
export const fairSeed = (state: GameState, move: string) =>
  post<{ seed: number }>("/api/deal", { state, move, page: pageName, task: "deal" });

export const stop = (task: string) => post<unknown>("/api/stop", { page: pageName, task });

// The one stream of events that a page has. The browser connects again by itself, and says what it
// heard last.
export function listen(handlers: Record<string, (data: Record<string, unknown>) => void>) {
  const stream = new EventSource(`/api/events?page=${pageName}`);
  for (const [kind, heard] of Object.entries(handlers)) {
    stream.addEventListener(kind, (event) => heard(JSON.parse((event as MessageEvent).data)));
  }
  // A stream that breaks says nothing of why: a question does.
  stream.addEventListener("error", () => {
    if (server.state === "here") get("/api/games").catch(() => {});
  });
  stream.addEventListener("open", () => (server.state = "here"));
  return () => stream.close();
}
