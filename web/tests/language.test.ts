import { afterEach, describe, expect, it, vi } from "vitest";
import french from "../languages/fr.json";
import type { Game } from "../src/lib/api";
import { filled, moveText, moveWritten, setLanguage, tr } from "../src/lib/language.svelte";

const sources = Object.values(
  import.meta.glob(["../src/**/*.svelte", "../src/**/*.ts"], { query: "?raw", import: "default", eager: true }),
) as string[];

describe("the catalogue", () => {
  it("has the French of every text that the page looks up", () => {
    const catalogue: Record<string, unknown> = french;
    const texts = sources.flatMap((source) => [...source.matchAll(/\btr\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g)]);
    expect(texts.length).toBeGreaterThan(150);
    for (const [, literal] of texts) {
      const text = literal!.slice(1, -1).replace(/\\(.)/g, "$1");
      expect(catalogue[text], text).toBeDefined();
    }
  });

  it("fills places in their order, and leaves those for which there is nothing", () => {
    expect(filled("{} plays {}", ["White", "e4"])).toBe("White plays e4");
    expect(filled("{} moved {}", ["White"])).toBe("White moved {}");
  });
});

describe("moves of chess", () => {
  afterEach(() => vi.unstubAllGlobals());
  it("have the letters of the language, and are understood in them", () => {
    vi.stubGlobal("localStorage", { setItem: () => {} });
    vi.stubGlobal("document", { documentElement: {} });
    const chess = { letters: { fr: { K: "R", Q: "D", R: "T", B: "F", N: "C" } } } as unknown as Game;
    const bremen = { letters: {} } as unknown as Game;
    setLanguage("fr");
    expect(["Nf3", "Qxd5+", "e8=B", "Kf1", "R1e2", "O-O"].map((move) => moveText(chess, move))).toEqual(["Cf3", "Dxd5+", "e8=F", "Rf1", "T1e2", "O-O"]);
    expect(["Cf3", "Rf1", "Tf1", "e8=D"].map((text) => moveWritten(chess, text))).toEqual(["Nf3", "Kf1", "Rf1", "e8=Q"]);
    expect(moveText(bremen, "Ra2")).toBe("Ra2");
    expect(tr("{} plays {}", "Blanc", "Cf3")).toBe("Blanc joue Cf3");
    setLanguage("en");
    expect(moveText(chess, "Nf3")).toBe("Nf3");
    expect(moveWritten(chess, "Rf1")).toBe("Rf1");
  });
});
