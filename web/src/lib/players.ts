// Who is asked about a game, and how.
import type { Game, Model } from "./api";

const mostMoves = 218; // more than any position has

const ships = (game: Game, models: Model[]) =>
  models.some((model) => model.ships && model.game === game.name && model.name === game.name);

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
