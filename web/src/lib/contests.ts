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

// Whose rating is given, so that it has no width; in a tournament without an anchor the mean is 0.
export function anchorOf(run: Run): { player: string; elo: number } | null {
  const summary = (run.summary ?? {}) as Summary;
  if (summary.b) return { player: summary.b.player, elo: 0 };
  const anchor = summary.players?.find(({ interval }) => interval && interval[0] !== null && interval[0] === interval[1]);
  return anchor ? { player: anchor.player, elo: anchor.elo ?? 0 } : null;
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
