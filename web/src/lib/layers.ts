// A network's specification as a list to draw: every layer with its place among the weights.
import type { LayerSpec } from "./api";

export interface DrawnLayer {
  path: string; // how the names of its weights begin: "layers.2"
  type: string;
  details: string;
  depth: number;
  head: string; // its output, where it begins one
  ends: number; // how many of the layers around it end with it
  around: boolean; // what goes in is added to what comes out
}

interface Spec {
  layers: LayerSpec[];
  heads?: unknown;
}

function detailsOf(layer: LayerSpec): string {
  return Object.entries(layer)
    .filter(([key, value]) => key !== "type" && key !== "layers" && typeof value !== "object")
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(", ");
}

function chain(layers: LayerSpec[], path: string, depth: number, head: string): DrawnLayer[] {
  return layers.flatMap((layer, i) => {
    const its = `${path}.${i}`;
    const inner = chain(layer.layers ?? [], `${its}.layers`, depth + 1, "");
    const last = inner.at(-1);
    if (last) ++last.ends;
    const drawn: DrawnLayer = {
      path: its,
      type: layer.type,
      details: detailsOf(layer),
      depth,
      head: i === 0 ? head : "",
      ends: 0,
      around: layer.type === "residual",
    };
    return [drawn, ...inner];
  });
}

export function drawn(spec: Spec): DrawnLayer[] {
  const all = chain(spec.layers, "layers", 0, "");
  const heads = (spec.heads ?? {}) as Record<string, LayerSpec[] | { name?: string; layers?: LayerSpec[] }>;
  for (const [key, head] of Object.entries(heads)) {
    const layers = Array.isArray(head) ? head : (head.layers ?? []);
    const name = Array.isArray(head) ? key : (head.name ?? key);
    all.push(...chain(layers, `heads.${name}`, 0, name));
  }
  return all;
}

// How wide a layer is drawn, from 0 to 1: by the logarithm of the numbers that it gives.
export function widthOf(shape: number[]): number {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return Math.max(0.06, Math.min(1, Math.log2(size + 1) / 14));
}

// The numbers of a layer as planes, channel by channel; of a plain list, as one of about a square.
export function planesOf(shape: number[], values: number[]): { planes: number[][]; cols: number } {
  if (shape.length === 3) {
    const squares = shape[1]! * shape[2]!;
    const planes = Array.from({ length: shape[0]! }, (_, i) => values.slice(i * squares, (i + 1) * squares));
    return { planes, cols: shape[2]! };
  }
  return { planes: [values], cols: Math.max(1, Math.ceil(Math.sqrt(values.length))) };
}

// Weights as planes: a filter for every output and input, or one matrix.
export function filtersOf(shown: [number, number, number], values: number[]) {
  const [outputs, inputs, taps] = shown;
  const side = Math.sqrt(taps);
  if (taps > 1 && Number.isInteger(side)) {
    const planes = Array.from({ length: outputs * inputs }, (_, i) => values.slice(i * taps, (i + 1) * taps));
    return { planes, cols: side, wide: inputs };
  }
  return { planes: [values], cols: inputs === 1 ? outputs : inputs, wide: 1 };
}
