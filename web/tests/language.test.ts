import { describe, expect, it } from "vitest";
import { dictionaries, filled } from "../src/lib/language.svelte";

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
