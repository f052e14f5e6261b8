// Curves for the charts: smoothed, and put over common steps.

import type { Standing } from "./api";

export type Point = [number, number];

export interface Curve {
  label: string;
  points: Point[];
}

// An exponential mean that begins at the first value: 0 leaves the curve as it is.
export function smoothed(points: Point[], amount: number): Point[] {
  let mean = 0;
  let weight = 0;
  return points.map(([x, y]) => {
    if (!Number.isFinite(y)) return [x, y];
    mean = amount * mean + (1 - amount) * y;
    weight = amount * weight + (1 - amount);
    return [x, mean / weight];
  });
}

// The steps of all curves, and each curve's value there; null where it has none.
export function aligned(curves: Curve[]): (number | null)[][] {
  const steps = [...new Set(curves.flatMap((curve) => curve.points.map(([x]) => x)))].sort((a, b) => a - b);
  const columns = curves.map((curve) => {
    const at = new Map(curve.points);
    return steps.map((x) => at.get(x) ?? null);
  });
  return [steps, ...columns];
}

// Told apart by everybody, and by their dashes on paper.
export const curveColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888"];
export const curveDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 4], [3, 8]];

export const eloMetric = "elo";

// The ratings of a network by generation, from the games that it played in its training.
export function eloCurve(standings: Standing[]): Point[] {
  return standings
    .flatMap(({ player, elo }): Point[] => {
      const generation = /^generation (\d+)$/.exec(player);
      return generation && elo !== null ? [[Number(generation[1]), elo]] : [];
    })
    .sort((a, b) => a[0] - b[0]);
}
