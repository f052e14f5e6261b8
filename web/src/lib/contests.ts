// The figures of a match or a tournament, as rows of one table.
import type { Run } from "./api";

export interface ContestRow {
  player: string;
  games: number;
  score: number | null;
  elo?: number | null;
  interval?: [number | null, number | null];
}

interface Side {
  player: string;
  wins: number;
  draws: number;
  losses: number;
  score: number;
}

interface Summary {
  a?: Side;
  b?: Side;
  elo?: { difference: number | null; interval: [number | null, number | null] };
  players?: ContestRow[];
}

// Whose rating is 0; in a tournament without an anchor it is the mean of all.
export function anchorOf(run: Run): string | null {
  const summary = (run.summary ?? {}) as Summary;
  if (summary.b) return summary.b.player;
  const anchor = run.config.anchor as { player?: string } | string | null | undefined;
  return (typeof anchor === "string" ? anchor : anchor?.player) ?? null;
}

// The strongest first; the last one is the anchor of a match.
export function matchRows(run: Run): ContestRow[] {
  const summary = (run.summary ?? {}) as Summary;
  if (summary.players) return [...summary.players];
  if (!summary.a || !summary.b) return [];
  const row = (side: Side): ContestRow => ({
    player: side.player,
    games: side.wins + side.draws + side.losses,
    score: side.score,
  });
  const first = {
    ...row(summary.a),
    elo: summary.elo?.difference ?? null,
    ...(summary.elo ? { interval: summary.elo.interval } : {}),
  };
  return [first, { ...row(summary.b), elo: 0 }];
}
