// What stands below a board. Some games explain there the signs of the terminal; this page has
// other ones.
import type { Picture } from "./api";
import { capital, known, tr } from "./language.svelte";

export function captionOf(game: string, picture: Picture): string {
  if (game === "fanorona") return tr("discs");
  if (game === "bremen" && !picture.caption.startsWith("The ")) return tr("stacks");
  return capital(known(picture.caption));
}
