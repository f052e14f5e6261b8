// A measured figure with its interval, as the commands print it.
import { language, number } from "./language.svelte";

export interface Figure {
  ours: number;
  interval: [number | null, number | null] | null;
  kind: string; // "share", "loss", "count", "number"
}

function digits(value: number): string {
  if (!Number.isFinite(value)) return "–";
  return Number.isInteger(value) ? number(value) : value.toLocaleString(language(), { maximumSignificantDigits: 4 });
}

export function estimateText(figure: Figure): string {
  const share = figure.kind === "share";
  const text = (value: number) => (share ? number(100 * value, 1) : digits(value));
  const unit = share ? " %" : "";
  const [low, high] = figure.interval ?? [null, null];
  if (low === null || high === null || low === high) return `${text(figure.ours)}${unit}`;
  return `${text(figure.ours)}${unit} (${text(low)} … ${text(high)})`;
}
