import { describe, expect, it } from "vitest";
import type { Analysis, Game, LegalMove, Model, MoveView, Picture, Run } from "../src/lib/api";
import { addressText, gameAddress, parseAddress, parseRules, rulesText } from "../src/lib/address";
import { anchorOf, matchRows } from "../src/lib/contests";
import { aligned, eloCurve, smoothed } from "../src/lib/curves";
import { estimateText } from "../src/lib/estimates";
import { drawn, filtersOf, planesOf } from "../src/lib/layers";
import { cellAt, cellName, neighbour, placeOf } from "../src/lib/geometry";
import { marksOf, tintOf } from "../src/lib/marks";
import { covered, markedPlaces, movesBetween, movesFrom, origins } from "../src/lib/moves";
import { formOf, pieceName } from "../src/lib/pieces";
import { adviserOf, analystOf, askedOfAll, choicesOf, contestants } from "../src/lib/players";
import { leadsTo } from "../src/lib/server.svelte";
import { colourOf, ordered, percent, shortText, worth } from "../src/lib/values";

const view = (over: Partial<MoveView>): MoveView => ({
  move: "a1",
  value: null,
  visits: null,
  prior: null,
  exact: null,
  ...over,
});

describe("values", () => {
  it("are exact where that is known", () => {
    expect(worth(view({ value: 0.4, exact: { value: "loss", distance: 3 } }))).toBe(-1);
    expect(worth(view({ value: 0.4 }))).toBe(0.4);
    expect(worth(view({}))).toBeNull();
  });
  it("are written with a sign, plies or percent", () => {
    expect(shortText(view({ exact: { value: "win", distance: 5 } }))).toBe("+5");
    expect(shortText(view({ exact: { value: "draw", distance: null } }))).toBe("=");
    expect(shortText(view({ exact: { value: "loss", distance: null } }))).toBe("−");
    expect(shortText(view({ value: 0.5 }))).toBe("75");
    expect(shortText(view({ prior: 0.251 }))).toBe("25");
  });
  it("have colours from orange to blue", () => {
    expect(colourOf(1)).toBe("rgb(0,114,178)");
    expect(colourOf(-1)).toBe("rgb(213,94,0)");
    expect(colourOf(0)).toBe("rgb(128,128,128)");
    expect(colourOf(7)).toBe(colourOf(1));
  });
  it("never round to what is certain", () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(["0", "<1", "50", ">99", "100"]);
  });
});

describe("players", () => {
  const game = (over: Partial<Game>) => ({ name: "chess", solved: false, hidden_information: false, strongest: "engine", ...over }) as Game;
  const models = ["chess", "bremen", "fanorona"].map((name) => ({ name, game: name, ships: true }) as Model);
  it("of the engine say what all moves are worth", () => {
    expect(["engine", "engine:nodes=200", "engine:lines=3", "engine:nodes=9,lines=2", "engineer", "net"].map(askedOfAll)).toEqual([
      "engine:lines=218",
      "engine:nodes=200,lines=218",
      "engine:lines=3",
      "engine:nodes=9,lines=2",
      "engineer",
      "net",
    ]);
  });
  it("are asked about moves where they know most", () => {
    expect(adviserOf(game({}), models)).toBe("engine");
    expect(adviserOf(game({ name: "bremen", strongest: "net,mcts=200" }), models)).toBe("net");
    expect(adviserOf(game({ name: "bremen", strongest: "net,mcts=200" }), [])).toBe("net,mcts=200");
    expect(adviserOf(game({ name: "fanorona", solved: true, strongest: "perfect" }), models)).toBe("perfect");
    expect(analystOf(game({ name: "fanorona", solved: true, strongest: "perfect" }), models)).toBe("net");
    expect(analystOf(game({}), models)).toBe("engine");
  });
});

describe("players of a contest", () => {
  const level = (player: string, level: number) => ({ player, level, elo: null });
  const game = { name: "a", players: 2, solved: true, opponents: ["perfect"], strongest: "perfect", levels: ["w1", "w2", "w3", "w4", "w5"].map((name, i) => level(name, i + 1)) } as Game;
  const models = [{ name: "a", game: "a", ships: true, player: "net:a" }, { name: "b", game: "a", ships: false, player: "net:/b" }] as Model[];
  it("are those that can be chosen, each once", () => {
    expect(choicesOf(game, models).map((one) => one.player)).toEqual(["net", "perfect", "w1", "w2", "w3", "w4", "w5", "net:/b"]);
    expect(choicesOf({ ...game, levels: [...game.levels, level("perfect", 6)] }, []).map((one) => one.player)).toEqual(["perfect", "w1", "w2", "w3", "w4", "w5"]);
  });
  it("differ from those that are there already", () => {
    expect(contestants(game, models, [], 2)).toEqual(["net", "w5"]);
    expect(contestants(game, models, ["w5", "w5", "w1"], 4)).toEqual(["w5", "w1", "net", "perfect"]);
    expect(contestants(game, models, ["w5", "w1"], 1)).toEqual(["w5"]);
    const all = contestants(game, models, [], 99);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("the links of the head", () => {
  it("show the game of another view", () => {
    expect(gameAddress("analysis", "#/play?game=chess&moves=e4+e5&players=human%3Bnet", "#/analysis")).toBe("#/analysis?game=chess&moves=e4+e5");
    expect(gameAddress("analysis", "#/play", "#/analysis?game=chess")).toBe("#/analysis?game=chess");
  });
  it("keep who thinks there while the game is the same", () => {
    const shown = "#/play?game=chess&moves=e4";
    expect(gameAddress("analysis", shown, "#/analysis?game=chess&player=engine")).toBe("#/analysis?game=chess&moves=e4&player=engine");
    expect(gameAddress("networks", shown, "#/networks?game=bremen&model=bremen")).toBe("#/networks?game=chess&moves=e4");
  });
});

describe("a pasted address", () => {
  it("leads to the server, with what is shown here", () => {
    expect(leadsTo(" http://127.0.0.1:8470/?token=ab ", "#/play?game=x")).toBe("http://127.0.0.1:8470/?token=ab#/play?game=x");
    expect(leadsTo("http://[::1]:80/other?token=ab#/lab", "")).toBe("http://[::1]/?token=ab");
  });
  it("is no script and no word", () => {
    for (const text of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "token", ""]) expect(leadsTo(text, "")).toBeNull();
  });
});

describe("addresses", () => {
  it("bring a position back", () => {
    const text = addressText("play", { game: "chess", moves: "e4 e5", rules: "", at: undefined });
    expect(text).toBe("#/play?game=chess&moves=e4+e5");
    expect(parseAddress(text)).toEqual({ view: "play", words: { game: "chess", moves: "e4 e5" } });
    expect(parseAddress("")).toEqual({ view: "", words: {} });
  });
  it("write rules as the command line does", () => {
    expect(parseRules("board=6x6,first=safe")).toEqual({ board: "6x6", first: "safe" });
    expect(rulesText({ board: "6x6", first: "safe" })).toBe("board=6x6,first=safe");
    expect(parseRules(undefined)).toEqual({});
  });
});

const legal: LegalMove[] = [
  { move: "6-3", kind: "move", cells: [6, 3] },
  { move: "6-4", kind: "move", cells: [6, 4] },
  { move: "e8=Q", kind: "move", cells: [12, 4], piece: "queen" },
  { move: "e8=N", kind: "move", cells: [12, 4], piece: "knight" },
  { move: "d@a1", kind: "draft", cells: [20], piece: "donkey" },
];

describe("pointing", () => {
  it("finds moves by their cells", () => {
    expect([...origins(legal)]).toEqual([6, 12, 20]);
    expect(movesFrom(legal, 6).map((move) => move.move)).toEqual(["6-3", "6-4"]);
    expect(movesBetween(legal, 12, 4).length).toBe(2);
    expect(movesBetween(legal, 3, 6)).toEqual([]);
  });
  it("drops a piece into a column from any of its cells", () => {
    const drop: LegalMove = { move: "b", kind: "drop", cells: [8, 5, 2] };
    expect([...origins([drop])]).toEqual([8, 5, 2]);
    expect(movesFrom([drop], 2)).toEqual([drop]);
    expect(covered(drop)).toEqual([8]);
  });
  it("marks the cells of moves at one cell where they are few", () => {
    const places: LegalMove[] = ["a1", "b2"].map((move, i) => ({ move, kind: "place", cells: [i] }));
    expect([...markedPlaces(places, 4)]).toEqual([0, 1]);
    expect([...markedPlaces(places, 3)]).toEqual([]);
    expect([...markedPlaces(legal, 9)]).toEqual([20]);
    expect([...markedPlaces([{ move: "a1", kind: "open", cells: [0] }], 9)]).toEqual([]);
  });
  it("knows where something stands after a move", () => {
    expect(legal.map(covered)).toEqual([[3], [4], [4], [4], [20]]);
    expect(covered({ move: "a1", kind: "cover", cells: [0, 6] })).toEqual([0, 6]);
  });
});

describe("moves in a table", () => {
  const exact = (move: string, value: "win" | "draw" | "loss", distance: number | null) => view({ move, exact: { value, distance } });
  it("have wins before losses, and what is near before what is far", () => {
    const moves = [exact("slow", "loss", 9), exact("even", "draw", null), exact("far", "win", 7), exact("fast", "loss", 2), exact("near", "win", 3)];
    expect(ordered(moves).map((one) => one.move)).toEqual(["near", "far", "even", "slow", "fast"]);
  });
  it("keep a player's order where something is not known", () => {
    const moves = [exact("b", "loss", 3), view({ move: "a", value: 0.5 })];
    expect(ordered(moves)).toEqual(moves);
  });
});

describe("boards", () => {
  const picture = { rows: 8, cols: 8, col_labels: [..."abcdefgh"], row_labels: [..."87654321"] } as unknown as Picture;
  it("can be turned", () => {
    expect(placeOf(picture, 0, false)).toEqual({ row: 0, col: 0 });
    expect(placeOf(picture, 0, true)).toEqual({ row: 7, col: 7 });
    for (const cell of [0, 9, 63]) expect(cellAt(picture, placeOf(picture, cell, true), true)).toBe(cell);
    expect(cellName(picture, 36)).toBe("e4");
  });
  it("are walked with the arrow keys, and have edges", () => {
    expect(neighbour(picture, 36, "ArrowUp", false)).toBe(28);
    expect(neighbour(picture, 36, "ArrowUp", true)).toBe(44);
    expect(neighbour(picture, 7, "ArrowRight", false)).toBe(7);
    expect(neighbour(picture, 36, "x", false)).toBe(36);
  });
});

describe("marks", () => {
  it("are the best moves that can be shown", () => {
    const analysis = {
      moves: [
        view({ move: "6-4", visits: 30, value: 0.2 }),
        view({ move: "gone", visits: 20, value: 0.1 }),
        view({ move: "6-3", visits: 15, value: 0 }),
      ],
    } as Analysis;
    const marks = marksOf(analysis, legal, 5);
    expect(marks.map((mark) => [mark.move, mark.text, mark.strength])).toEqual([
      ["6-4", "60", 1],
      ["6-3", "50", 0.5],
    ]);
  });
});

describe("heat maps", () => {
  const analysis = {
    moves: [
      view({ move: "6-4", prior: 0.6, value: 0.2 }),
      view({ move: "6-3", prior: 0.3, exact: { value: "loss", distance: 2 } }),
      view({ move: "e8=Q", prior: 0.05, value: -0.5 }),
      view({ move: "e8=N", prior: 0.05, value: 0.9 }),
    ],
  } as Analysis;
  it("show where likely moves end, beside the likeliest", () => {
    const tint = tintOf(analysis, legal, 25, "heat-policy");
    expect(tint[4]).toBeCloseTo(1); // 0.6 and 0.1 end here
    expect(tint[3]).toBeCloseTo(0.3 / 0.7);
    expect(tint[6]).toBeNull();
  });
  it("show the best value of a cell", () => {
    const tint = tintOf(analysis, legal, 25, "heat-value");
    expect(tint[4]).toBe(0.9);
    expect(tint[3]).toBe(-1);
  });
  it("show all cells that a move covers", () => {
    const covers: LegalMove[] = [{ move: "6-4", kind: "cover", cells: [6, 7] }];
    expect(tintOf(analysis, covers, 25, "heat-value").slice(6, 9)).toEqual([0.2, 0.2, null]);
  });
});

describe("figures", () => {
  it("are written with their intervals", () => {
    expect(estimateText({ ours: 0.9252, interval: [0.92, 0.93], kind: "share" })).toBe("92.5 % (92.0 … 93.0)");
    expect(estimateText({ ours: 12, interval: null, kind: "count" })).toBe("12");
    expect(estimateText({ ours: 0.25, interval: [0.25, 0.25], kind: "loss" })).toBe("0.25");
  });
});

describe("pieces", () => {
  it("are drawn by their role", () => {
    for (const role of ["pawn", "knight", "bishop", "rook", "queen", "king", "cross", "nought"]) {
      expect(formOf({ role })).toMatchObject({ form: "figure", path: expect.stringMatching(/^M/) });
    }
    for (const role of ["donkey", "dog", "cat", "rooster"]) expect(formOf({ role }).form).toBe("tile");
    expect(formOf({ role: "number-3" })).toEqual({ form: "number", path: "", text: "3" });
  });
  it("that are not known are their first letter", () => {
    expect(formOf({ role: "wizard", side: 1 })).toEqual({ form: "text", path: "", text: "W" });
  });
  it("are called by words", () => {
    const names = [{ role: "disc" }, { role: "disc", state: "moved" }, { role: "number-2" }, { role: "wizard" }].map(pieceName);
    expect(names).toEqual(["disc", "disc that has moved", "2", "wizard"]);
  });
});

describe("curves", () => {
  it("are smoothed without a jump at their beginning", () => {
    expect(smoothed([[1, 4], [2, 4]], 0.9)).toEqual([[1, 4], [2, 4]]);
    const line = smoothed([[1, 0], [2, 1]], 0.5);
    expect(line[1]![1]).toBeCloseTo(2 / 3);
    expect(smoothed([[1, 3], [2, 5]], 0)).toEqual([[1, 3], [2, 5]]);
  });
  it("of ratings go by generation", () => {
    const standing = (player: string, elo: number | null) => ({ player, elo, interval: [null, null] as [null, null], games: 2, score: 0.5 });
    expect(eloCurve([standing("generation 10", 90), standing("random", 0), standing("generation 2", 40)])).toEqual([[2, 40], [10, 90]]);
    expect(eloCurve([standing("net", 3)])).toEqual([]);
  });
  it("stand over common steps", () => {
    const table = aligned([
      { label: "a", points: [[1, 10], [3, 30]] },
      { label: "b", points: [[2, 5]] },
    ]);
    expect(table).toEqual([[1, 2, 3], [10, null, 30], [null, 5, null]]);
  });
});

describe("contests", () => {
  const run = (summary: unknown, config = {}) => ({ summary, config }) as unknown as Run;
  const side = (player: string, score: number) => ({ player, wins: 8 * score, draws: 0, losses: 8 - 8 * score, score });
  it("of two have the second as their anchor", () => {
    const match = run({ a: side("net", 0.75), b: side("random", 0.25), elo: { difference: 191, interval: [20, null] } });
    expect(matchRows(match)).toEqual([
      { player: "net", games: 8, score: 0.75, elo: 191, interval: [20, null] },
      { player: "random", games: 8, score: 0.25, elo: 0 },
    ]);
    expect(anchorOf(match)).toEqual({ player: "random", elo: 0 });
  });
  it("of several have the anchor that was asked for: its rating has no width", () => {
    const row = (player: string, elo: number, interval: [number, number]) => ({ player, games: 8, score: 0.5, elo, interval });
    const anchored = run({ players: [row("net", 300, [200, 400]), row("first", 100, [100, 100])] });
    expect(anchorOf(anchored)).toEqual({ player: "first", elo: 100 });
    expect(anchorOf(run({ players: [row("net", 30, [20, 40])] }))).toBeNull();
  });
  it("that have not ended have no figures yet", () => {
    expect(matchRows(run(null))).toEqual([]);
    expect(anchorOf(run({ players: [] }))).toBeNull();
  });
});

describe("layers", () => {
  it("are listed with the names of their weights", () => {
    const list = drawn({
      layers: [
        { type: "dense", units: 4 },
        { type: "residual", layers: [{ type: "relu" }] },
      ],
      heads: { value: [{ type: "dense", units: 1 }] },
    });
    expect(list.map((layer) => [layer.path, layer.type, layer.depth, layer.head])).toEqual([
      ["layers.0", "dense", 0, ""],
      ["layers.1", "residual", 0, ""],
      ["layers.1.layers.0", "relu", 1, ""],
      ["heads.value.0", "dense", 0, "value"],
    ]);
    expect(list[0]!.details).toBe("units 4");
    expect(list.map((layer) => [layer.around, layer.ends])).toEqual([[false, 0], [true, 0], [false, 1], [false, 0]]);
  });
  it("are pictures of their numbers", () => {
    expect(planesOf([2, 1, 2], [1, 2, 3, 4])).toEqual({ planes: [[1, 2], [3, 4]], cols: 2 });
    expect(planesOf([5], [1, 2, 3, 4, 5]).cols).toBe(3);
    expect(filtersOf([1, 2, 9], Array.from({ length: 18 }, (_, i) => i)).planes.length).toBe(2);
    expect(filtersOf([2, 3, 1], [1, 2, 3, 4, 5, 6])).toEqual({ planes: [[1, 2, 3, 4, 5, 6]], cols: 3, wide: 1 });
  });
});
