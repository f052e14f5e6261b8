// How a game ended, in words.
import type { Game, Position } from "./api";
import { capital, inLanguage, tr } from "./language.svelte";

export const isOver = (position: Position | null) => position !== null && position.outcome !== "ongoing";

// "Black wins (checkmate)".
export function endingText(game: Game, position: Position): string {
  const winner = position.outcome === "first" ? game.sides[0] : game.sides[1];
  const result =
    position.outcome === "draw"
      ? tr("Draw")
      : game.players === 1
        ? tr(position.outcome === "first" ? "Won" : "Lost")
        : tr("{} wins", capital(tr(winner)));
  const ending = position.ending === "resigned" ? tr("resignation") : inLanguage(position.ending, position.ending_in);
  return ending === "" ? result : `${result} (${ending})`;
}
