// The page in a browser, as people use it: node browser/run.mjs PROGRAM [PROGRAM OF examples/my_game]
// Every game to its end, overlays, both languages, the keyboard alone, a phone, and what axe finds.
import assert from "node:assert/strict";
import AxeBuilder from "@axe-core/playwright";
import { faults } from "./faults.mjs";
import { openBrowser, openPage, startServer } from "./open.mjs";

const [program, own] = process.argv.slice(2);
const only = process.env.DAMIER_ONLY ?? ""; // a part of the names of the tests that are run
const selfPlay = "generations=3\ngames=32\nsimulations=8\nevaluation.every=1\nevaluation.games=8";

const server = await startServer(program);
const origin = new URL(server.address).origin;
const { games: known } = await (await fetch(`${origin}/api/games`, { headers: { Authorization: `Bearer ${new URL(server.address).searchParams.get("token")}` } })).json();
const games = known.map((game) => game.name);
const browser = await openBrowser();
let passed = 0;
const failures = [];

async function test(name, options, work) {
  if (!name.includes(only)) return;
  const { page, faults, close } = await openPage(browser, server.address, options);
  try {
    await work(page);
    assert.deepEqual(faults, []);
    ++passed;
    console.log(`ok    ${name}`);
  } catch (fault) {
    failures.push(name);
    const shown = await page.locator("main").innerText().catch(() => "nothing");
    console.log(`FAILED ${name}: ${fault.message}\nThe page showed:\n${shown.slice(0, 1000)}`);
  }
  await close();
}

const visit = async (page, hash) => {
  await page.goto(`${origin}/${hash}`);
  await page.waitForSelector("main [role=grid], main .view");
};
const over = (page) => page.locator(".status").textContent().then((text) => /wins|Draw|Won|Lost|Gain|nulle|Gagné|Perdu/.test(text));
const plies = (page) => page.locator("ol.moves li").count();

// One move by pointing at cells, the n-th of those that are possible.
async function point(page, n) {
  const from = page.locator(".cell.playable");
  await from.first().waitFor();
  await from.nth(n % (await from.count())).click();
  const targets = page.locator(".cell:has(.target)");
  if ((await page.locator("dialog").count()) === 0 && (await targets.count()) > 0) {
    await targets.nth(n % (await targets.count())).click();
  }
  if ((await page.locator("dialog").count()) > 0) await page.locator("dialog button").first().click();
}
const turn = (page, before) =>
  page.waitForFunction(
    (count) => {
      const done = document.querySelectorAll("ol.moves li").length > count;
      const mine = document.querySelector(".cell.playable") !== null;
      const ended = /wins|Draw|Won|Lost/.test(document.querySelector(".status").textContent);
      return done && (mine || ended);
    },
    before,
  );

for (const game of games) {
  await test(`${game} is played to its end by pointing`, {}, async (page) => {
    const rules = { minesweeper: "&rules=board=5x5x5&seed=7", chess: "", domineering: "&rules=board=5x5", bremen: "&rules=maxply=24" }[game] ?? "";
    const position = game === "chess" ? "&position=4k3/8/8/8/8/8/1r5r/4K3 w - - 0 1" : "";
    await visit(page, `#/play?game=${game}${rules}${position}&players=human;random`);
    for (let n = 0; n < 200 && !(await over(page)); ++n) {
      const before = await plies(page);
      await point(page, 7 * n);
      await turn(page, before);
    }
    assert.ok(await over(page), await page.locator(".status").textContent());
    const last = await plies(page);
    await page.getByRole("button", { name: "First position" }).click();
    await page.getByRole("button", { name: "Last position" }).click();
    assert.equal(await plies(page), last, "looking back loses nothing");
  });
}

await test("two players play each other, and are stopped", {}, async (page) => {
  await visit(page, "#/play?game=domineering&rules=board=5x5&players=random;first");
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length >= 2);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.waitForFunction(() => /wins/.test(document.querySelector(".status").textContent));
});

await test("the keyboard alone makes a move", {}, async (page) => {
  await visit(page, "#/play?game=fanorona&players=human;random");
  await page.locator("[data-cell='6']").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await turn(page, 0);
  assert.equal((await page.locator("ol.moves li").first().textContent()).trim(), "6-3");
  await page.getByLabel("Write a move").fill("nonsense");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
});

await test("the keyboard alone plays a game to its end", {}, async (page) => {
  await visit(page, "#/play?game=domineering&rules=board=5x5&players=human;random");
  await page.locator("[data-cell='0']").focus();
  for (let n = 0; n < 20 && !(await over(page)); ++n) {
    const before = await plies(page);
    const [from, to] = await page.evaluate(() => [document.activeElement, document.querySelector(".cell.playable")].map((cell) => Number(cell.dataset.cell)));
    const walk = async (steps, back, forth) => {
      for (let i = 0; i < Math.abs(steps); ++i) await page.keyboard.press(steps < 0 ? back : forth);
    };
    await walk(Math.floor(to / 5) - Math.floor(from / 5), "ArrowUp", "ArrowDown");
    await walk((to % 5) - (from % 5), "ArrowLeft", "ArrowRight");
    await page.keyboard.press("Enter");
    await turn(page, before);
  }
  assert.ok(await over(page), await page.locator(".status").textContent());
});

await test("a losing move is taken back with the reason", {}, async (page) => {
  await visit(page, "#/play?game=fanorona&moves=6-3+2-5&players=human;human");
  await page.getByLabel("Teach me").check();
  await page.getByLabel("Write a move").fill("3-6");
  await page.keyboard.press("Enter");
  await page.getByText("3-6 is taken back").waitFor();
  assert.equal(await plies(page), 2);
});

await test("a losing move of chess is taken back, and a good one answered", {}, async (page) => {
  await visit(page, "#/play?game=chess&moves=e4+e5+Nf3+Nc6&players=human;minimax:1");
  await page.getByLabel("Teach me").check();
  await page.getByLabel("Write a move").fill("Nxe5");
  await page.keyboard.press("Enter");
  await page.getByText("Nxe5 is taken back").waitFor();
  assert.equal(await plies(page), 4);
  await page.getByLabel("Write a move").fill("Bb5");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length === 6);
});

await test("an answer that is taken back before it came stays away", {}, async (page) => {
  await visit(page, "#/play?game=chess&players=human;engine:seconds=20");
  await page.getByLabel("Write a move").fill("e4");
  await page.keyboard.press("Enter");
  await page.getByText("engine:seconds=20 is thinking").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("White to move", { exact: true }).waitFor();
  assert.equal(await plies(page), 0);
});

await test("a game goes on after a look at another view", {}, async (page) => {
  await visit(page, "#/play?game=chess&moves=e4+e5&players=human;human");
  await page.getByRole("link", { name: "Lab" }).click();
  await page.locator("article").first().waitFor();
  await page.getByRole("link", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length === 2);
  await page.getByRole("link", { name: "Play", exact: true }).click();
  assert.equal(await plies(page), 2);
});

await test("a hint, undo, and the evaluation", {}, async (page) => {
  await visit(page, "#/play?game=fanorona&moves=6-3+2-5&players=human;human");
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".marks .figure").first().waitFor();
  await page.getByLabel("Evaluated by").selectOption("perfect");
  await page.waitForFunction(() => document.querySelectorAll(".graph .dot").length === 3);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length === 1);
});

await test("a click on the evaluation's graph leads to the position", {}, async (page) => {
  await visit(page, "#/play?game=fanorona&moves=6-3+2-5+3-6+5-2&players=human;human");
  await page.getByLabel("Evaluated by").selectOption("perfect");
  await page.waitForFunction(() => document.querySelectorAll(".graph .dot").length === 5);
  assert.equal(await page.locator("ol.moves .grade").count(), 2, "both sides have made a mistake");
  const { x, y, width } = await page.locator(".graph").boundingBox();
  await page.mouse.click(x + width / 2, y + 30);
  await page.waitForFunction(() => document.querySelector("li.now").textContent.trim() === "2-5");
});

await test("a game is saved, and loaded with its end", {}, async (page) => {
  await visit(page, "#/play?game=domineering&rules=board=5x5&moves=b2&players=human;human");
  await page.getByRole("button", { name: "Resign" }).click();
  await page.waitForFunction(() => document.querySelector(".status").textContent === "Vertical wins (resignation)");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  const kept = await download.path();
  await visit(page, "#/play?game=fanorona");
  await page.locator("input[type=file]").setInputFiles(kept);
  await page.waitForFunction(() => document.querySelector(".status").textContent === "Vertical wins (resignation)");
  assert.equal(await page.locator("ol.moves").textContent(), "b2");
});

await test("flags and chords of minesweeper", {}, async (page) => {
  await visit(page, "#/play?game=minesweeper&rules=board=9x9x10,first=opening&seed=7&moves=e5&players=human;human");
  await page.locator("[data-cell='0']").click({ button: "right" });
  await page.locator(".flag").first().waitFor();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".percent").first().waitFor();
});

await test("analysis draws exact values, and two players side by side", {}, async (page) => {
  await visit(page, "#/analysis?game=fanorona&moves=6-3+2-5");
  await page.locator(".marks .figure").first().waitFor();
  const texts = await page.locator(".marks .figure text").allTextContents();
  assert.deepEqual(texts.filter((text) => text.startsWith("−")).sort(), ["−10", "−8"]);
  await page.getByLabel("Beside").selectOption("perfect");
  await page.waitForFunction(() => document.querySelectorAll("table").length === 2);
  await page.getByLabel("Position").fill("nonsense");
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("alert").waitFor();
});

await test("heat maps, and the line that follows a move", {}, async (page) => {
  await visit(page, "#/analysis?game=fanorona&moves=6-3+2-5");
  await page.locator("tbody tr").first().waitFor();
  await page.getByLabel("Show").selectOption("heat-value");
  await page.locator(".tint").first().waitFor();
  assert.equal(await page.locator(".tint.against").count(), 0, "every square has a move that draws");
  await page.locator("tbody tr").nth(1).hover();
  await page.getByText(/^If /).waitFor();
});

await test("a position is put together on the board", {}, async (page) => {
  await visit(page, "#/analysis?game=fanorona");
  await page.getByRole("button", { name: "Edit the board" }).click();
  await page.getByRole("button", { name: "disc (white)", exact: true }).click();
  await page.locator("[data-cell='6']").click(); // away
  await page.locator("[data-cell='4']").click();
  await page.getByRole("button", { name: "Set up", exact: true }).last().click();
  await page.locator(".marks .figure").first().waitFor();
  assert.equal(await page.getByLabel("Position").inputValue(), "bbb.w..ww w");
});

await test("a network is looked into while it plays", {}, async (page) => {
  await visit(page, "#/networks?model=fanorona");
  await page.locator(".tint").first().waitFor();
  await page.locator(".layers button").first().click();
  await page.getByRole("heading", { name: "Activations layers.0" }).waitFor();
  await page.getByRole("heading", { name: "Weights as pictures layers.0.weight" }).waitFor();
  const before = await page.locator(".answers button").allTextContents();
  await page.getByRole("button", { name: "The network moves" }).click();
  await page.waitForFunction((old) => document.querySelector(".answers")?.textContent !== old, before.join(""));
  await page.locator(".answers button").nth(1).click();
  await page.locator(".tint").first().waitFor();
});

await test("a board of minesweeper that needs no guess", {}, async (page) => {
  await visit(page, "#/play?game=minesweeper&rules=board=9x9x10&seed=1");
  await page.getByLabel("No guessing").check();
  await page.locator("[data-cell='40']").click();
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length === 1);
});

await test("the draft of Bremen by dragging and by tapping", {}, async (page) => {
  await visit(page, "#/play?game=bremen&players=human;human");
  const to = await page.locator("[data-cell='20']").boundingBox();
  const from = await page.getByRole("button", { name: "donkey" }).boundingBox();
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length === 1);
  assert.equal((await page.locator("ol.moves li").first().textContent()).trim(), "d@a1");
  await page.getByRole("button", { name: "cat" }).click();
  await page.locator("[data-cell='2']").click();
  await page.waitForFunction(() => document.querySelectorAll("ol.moves li").length === 2);
});

await test("a match is started, and one of its games replayed", {}, async (page) => {
  await visit(page, "#/arena");
  await page.getByLabel("Player 2").selectOption({ index: 3 });
  await page.getByLabel("Games", { exact: true }).fill("4");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("link", { name: "Replay" }).first().click();
  await page.waitForSelector("[role=grid]");
  await page.getByRole("button", { name: "One move forward" }).click();
  await page.locator("ol.moves li.now").waitFor();
});

await test("a training is started, and its curve drawn", {}, async (page) => {
  await visit(page, "#/training");
  await page.getByLabel("Recipe").selectOption("fanorona-quick");
  await page.getByLabel("Settings").fill("epochs=3\ndata.generate.count=500");
  await page.getByRole("button", { name: "Train", exact: true }).click();
  await page.locator("canvas").waitFor();
  await page.getByRole("row", { name: /fanorona-quick.*done/ }).waitFor();
});

await test("self-play has a curve of ratings and games to look at", {}, async (page) => {
  await visit(page, "#/training");
  await page.getByLabel("Recipe").selectOption("fanorona-self-play");
  await page.getByLabel("Settings").fill(selfPlay);
  await page.getByRole("button", { name: "Train", exact: true }).click();
  await page.getByRole("row", { name: /fanorona-self-play.*done/ }).waitFor({ timeout: 180_000 });
  await page.getByRole("link", { name: "Replay" }).first().waitFor();
  await page.locator("select:has(option[value=elo])").selectOption("elo");
});

await test("the lab shows what was published, and starts an experiment", {}, async (page) => {
  await visit(page, "#/lab");
  await page.locator("article").first().waitFor();
  await page.getByRole("button", { name: /quick/ }).first().click();
  await page.getByText(/^damier reproduce fanorona.*quick/).waitFor();
  await page.getByRole("button", { name: "Stop" }).first().click();
  await page.getByText("stopped").waitFor({ timeout: 60_000 });
});

await test("French says everything in French", { language: "fr" }, async (page) => {
  await visit(page, "#/play?game=chess&players=human;human");
  await page.getByText("Trait : Blanc").waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByText("White to move", { exact: true }).waitFor();
});

await test("chess has the letters of the language", { language: "fr" }, async (page) => {
  await visit(page, "#/play?game=chess&moves=e4+e5&players=human;human");
  await page.getByLabel("Écrire un coup").fill("Cf3");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("li.now").textContent.trim() === "Cf3");
  assert.match(page.url(), /Nf3/, "addresses are the same in every language");
  await page.getByLabel("g1, vide").waitFor({ state: "attached" });
  await page.getByLabel("f3, cavalier (blanc)").waitFor({ state: "attached" });
});

await test("a wide board is moved, not the page", { width: 390, height: 844 }, async (page) => {
  await visit(page, "#/play?game=minesweeper&rules=board=16x30x99&seed=3");
  const cell = await page.locator("[data-cell='0'] .square").boundingBox();
  assert.ok(cell.width >= 24, `${cell.width} pixels are too few for a finger`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
});

await faults({ test, visit, program, own, browser });

const addresses = {
  play: "#/play?game=chess&moves=e4+e5+Nf3+Nc6&players=human;human",
  "play-bremen": "#/play?game=bremen&position=a2a2c1a4/b3d4b3a5 b&players=human;human",
  "play-minesweeper": "#/play?game=minesweeper&rules=board=9x9x10,first=opening&seed=7&moves=e5&players=human;human",
  analysis: "#/analysis?game=domineering&rules=board=6x6&moves=b2&player=net",
  "analysis-minesweeper": "#/analysis?game=minesweeper&rules=board=9x9x10,first=opening&seed=7&moves=e5&player=net",
  "analysis-fanorona": "#/analysis?game=fanorona&moves=6-3+2-5",
  "analysis-chess": "#/analysis?game=chess&moves=e4+e5",
  networks: "#/networks?model=domineering",
  "networks-chess": "#/networks?model=chess",
  training: "#/training",
  arena: "#/arena",
  lab: "#/lab",
};
const settled = async (page, name) => {
  if (name.startsWith("analysis-m")) await page.locator(".percent").first().waitFor();
  else if (name.startsWith("analysis")) await page.locator(".marks .figure").first().waitFor();
  else if (name.startsWith("networks")) await page.locator("table").first().waitFor();
  else if (name === "training") await page.locator("canvas").waitFor();
  else if (name === "arena") await page.locator("table").first().waitFor();
  else if (name === "lab") await page.locator("article").first().waitFor();
};
for (const [name, hash] of Object.entries(addresses)) {
  for (const dark of [false, true]) {
    for (const phone of [false, true]) {
      const options = { dark, ...(phone ? { width: 390, height: 844 } : {}) };
      await test(`${name}, ${dark ? "dark" : "light"}, ${phone ? "phone" : "desktop"}`, options, async (page) => {
        await visit(page, hash);
        await settled(page, name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} pixels too wide`);
        const found = await new AxeBuilder({ page }).analyze();
        assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`), []);
      });
    }
  }
}

await browser.close();
const code = await server.stop();
if (code !== 0) failures.push(`the server ended with ${code}`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
