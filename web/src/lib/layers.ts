// A network's specification as a list to draw: every layer with its place among the weights.
import type { LayerSpec } from "./api";

export interface DrawnLayer {
  path: string; // how the names of its weights begin: "layers.2"
  type: string;
  details: string;
  depth: number;
  head: string; // its output, where it begins one
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
    const drawn: DrawnLayer = {
      path: its,
      type: layer.type,
      details: detailsOf(layer),
      depth,
      head: i === 0 ? head : "",
    };
    return [drawn, ...chain(layer.layers ?? [], `${its}.layers`, depth + 1, "")];
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
