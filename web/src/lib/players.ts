// Who is asked about a game, and how.
import type { Game, Level, Model } from "./api";

const mostMoves = 218; // more than any position has

const ships = (game: Game, models: Model[]) =>
  models.some((model) => model.ships && model.game === game.name && model.name === game.name);

// Who can be chosen to play a game: those that know most first, then the levels, then other networks.
export interface Choice {
  player: string;
  kind: "network" | "exact" | "level" | "model" | "plain";
  level?: Level;
}
export function choicesOf(game: Game, models: Model[]): Choice[] {
  const list: Choice[] = [];
  if (ships(game, models)) list.push({ player: "net", kind: "network" });
  if (game.opponents.includes("perfect") && game.solved) list.push({ player: "perfect", kind: "exact" });
  if (game.opponents.includes("solver")) list.push({ player: "solver", kind: "exact" });
  for (const level of game.levels) list.push({ player: level.player, kind: "level", level });
  for (const model of models) {
    if (model.game === game.name && model.name !== game.name) list.push({ player: model.player, kind: "model" });
  }
  if (game.players === 1) list.push({ player: "random", kind: "plain" }, { player: "first", kind: "plain" });
  const seen = new Set<string>();
  return list.filter(({ player }) => !seen.has(player) && seen.add(player));
}

// Players of a contest that all differ: those that are there and can be chosen, and others up to that
// number; fewer where there are no more.
export function contestants(game: Game, models: Model[], players: string[], count: number): string[] {
  const usual = choicesOf(game, models).map((choice) => choice.player);
  const kept = players.filter((player, i) => players.indexOf(player) === i).slice(0, count);
  // From the middle of the list: neither the strongest alone nor the weakest.
  const middle = game.levels[4]?.player;
  const others = [usual[0], middle, ...usual, "random", "first"].filter((player) => player !== undefined);
  for (const player of others) {
    if (kept.length < count && !kept.includes(player)) kept.push(player);
  }
  return kept;
}

// The best player that has a value for every move: the exact player, the network
// where nothing is stronger without it, or the strongest player.
export function adviserOf(game: Game, models: Model[]): string {
  if (game.solved) return "perfect";
  return ships(game, models) && game.strongest.startsWith("net") ? "net" : game.strongest;
}

// The player of a new analysis: the network where exact values are shown with it, else the adviser.
export function analystOf(game: Game, models: Model[]): string {
  const hasExact = game.solved || game.hidden_information;
  return hasExact && ships(game, models) ? "net" : adviserOf(game, models);
}

// The engine says what its best moves are worth, of all moves where it is asked to.
export function askedOfAll(player: string): string {
  if (!/^engine(:|$)/.test(player) || /[:,]lines=/.test(player)) return player;
  return `${player}${player.includes(":") ? "," : ":"}lines=${mostMoves}`;
}
