// What the address says after its #: the view, and what is shown there, so that a position can be
// shared. Moves and positions stand there as they are written.

export interface Address {
  view: string;
  words: Record<string, string>;
}

export function parseAddress(hash: string): Address {
  const text = hash.replace(/^#\/?/, "");
  const mark = text.indexOf("?");
  const view = mark < 0 ? text : text.slice(0, mark);
  const words: Record<string, string> = {};
  if (mark >= 0) {
    for (const [key, value] of new URLSearchParams(text.slice(mark + 1))) words[key] = value;
  }
  return { view, words };
}

export function addressText(view: string, words: Record<string, string | undefined>): string {
  const kept = Object.entries(words).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const query = new URLSearchParams(kept).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

// Rules as "board=6x6,first=safe", the way the command line writes them.
export function rulesText(rules: Record<string, string> | undefined): string {
  return Object.entries(rules ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

export function parseRules(text: string | undefined): Record<string, string> {
  const rules: Record<string, string> = {};
  for (const part of (text ?? "").split(",")) {
    const equals = part.indexOf("=");
    if (equals > 0) rules[part.slice(0, equals)] = part.slice(equals + 1);
  }
  return rules;
}

// The address of a view that shows the game of another one; who plays, thinks or is looked into
// there stays while the game is the same.
export function gameAddress(view: string, shown: string, kept: string): string {
  const { players: _, player: __, model: ___, ...game } = parseAddress(shown).words;
  if (game.game === undefined) return kept;
  const own = parseAddress(kept).words;
  const stays = own.game === game.game ? { players: own.players, player: own.player, model: own.model } : {};
  return addressText(view, { ...game, ...stays });
}
