import type { Game } from "../src/lib/api";
import { afterEach, describe, expect, it, vi } from "vitest";
import { dictionaries, filled, moveText, moveWritten, setLanguage } from "../src/lib/language.svelte";

describe("the dictionaries", () => {
  const words = Object.keys(dictionaries.en) as (keyof typeof dictionaries.en)[];

  it("have every word in both languages", () => {
    expect(Object.keys(dictionaries.fr).sort()).toEqual([...words].sort());
    for (const word of words) {
      expect(dictionaries.en[word].trim(), word).not.toBe("");
      expect(dictionaries.fr[word].trim(), word).not.toBe("");
    }
  });

  it("have the same places to fill in", () => {
    const places = (text: string) => text.match(/\{\}/g)?.length ?? 0;
    for (const word of words) {
      expect(places(dictionaries.fr[word]), word).toBe(places(dictionaries.en[word]));
    }
  });

  it("hold no word that the page does not use", () => {
    const sources = Object.values(
      import.meta.glob(["../src/**/*.svelte", "../src/**/*.ts"], { query: "?raw", import: "default", eager: true }),
    ) as string[];
    const views = /const views = \[([^\]]*)\]/.exec(sources.join("\n"))![1]!;
    const used = sources.filter((text) => !text.includes("const english")).join("\n") + views;
    const grades = ["inaccuracy", "mistake", "blunder"];
    const statuses = ["running", "done", "stopped", "killed", "failed", "reached", "within", "missed"];
    for (const word of words) {
      expect(used.includes(`"${word}"`) || used.includes(`'${word}'`) || [...grades, ...statuses].includes(word), word).toBe(true);
    }
  });

  it("fill places in their order", () => {
    expect(filled("{} plays {}", ["White", "e4"])).toBe("White plays e4");
  });
});

describe("moves of chess", () => {
  afterEach(() => vi.unstubAllGlobals());
  it("have the letters of the language, and are understood in them", async () => {
    vi.stubGlobal("localStorage", { setItem: () => {} });
    vi.stubGlobal("document", { documentElement: {} });
    vi.stubGlobal("fetch", () => Promise.resolve({ ok: true, json: () => Promise.resolve({ words: {} }) }));
    const chess = { letters: { fr: { K: "R", Q: "D", R: "T", B: "F", N: "C" } } } as unknown as Game;
    const bremen = { letters: {} } as unknown as Game;
    await setLanguage("fr");
    expect(["Nf3", "Qxd5+", "e8=B", "Kf1", "R1e2", "O-O"].map((move) => moveText(chess, move))).toEqual(["Cf3", "Dxd5+", "e8=F", "Rf1", "T1e2", "O-O"]);
    expect(["Cf3", "Rf1", "Tf1", "e8=D"].map((text) => moveWritten(chess, text))).toEqual(["Nf3", "Kf1", "Rf1", "e8=Q"]);
    expect(moveText(bremen, "Ra2")).toBe("Ra2");
    await setLanguage("en");
    expect(moveText(chess, "Nf3")).toBe("Nf3");
    expect(moveWritten(chess, "Rf1")).toBe("Rf1");
  });
});
