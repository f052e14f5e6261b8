// What once went wrong under the hands of a user, and must not again; and a game of one's own, which
// is complete without a line for the page: `own` is the program of examples/my_game.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { openPage, startServer } from "./open.mjs";

const phone = { width: 390, height: 844 };
const status = (page) => page.locator(".status").textContent();
const moves = async (page) => (await page.locator("ol.moves li").allTextContents()).map((text) => text.trim());
const until = (page, count) => page.waitForFunction((wanted) => document.querySelectorAll("ol.moves li").length >= wanted, count);
const lastLink = (page, name) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true });

// What sticks out of the page to the right, or is hidden in something that must be moved sideways.
const cutOff = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("main table")].flatMap((table) => {
      const box = table.closest(".scroll") ?? table.parentElement;
      const hidden = box.scrollWidth - box.clientWidth;
      return hidden > 0 ? [`${table.innerText.slice(0, 60)}: ${hidden} pixels are cut off`] : [];
    }),
  );

export async function faults({ test, visit, program, own, browser }) {
  await test("a draft by tapping goes on with moves", {}, async (page) => {
    await visit(page, "#/play?game=bremen&players=human;human");
    assert.ok((await page.locator(".place").count()) > 0, "the squares for the animals are marked");
    for (let n = 0; n < 8; ++n) {
      await page.locator("button.draft").first().click();
      await page.locator(".cell.playable").first().click();
      await until(page, n + 1);
    }
    await page.locator(".cell.playable").first().click();
    await page.locator(".cell:has(.target)").first().click();
    await until(page, 9);
  });

  await test("hints go with the position that they are about", {}, async (page) => {
    await visit(page, "#/play?game=domineering&rules=board=5x5&moves=b2&players=human;human");
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".marks .figure").first().waitFor();
    await page.getByRole("combobox", { name: "Horizontal" }).selectOption("flat:1");
    await until(page, 2);
    assert.equal(await page.locator(".marks .figure").count(), 0, "a hint for a position that is gone");
    await visit(page, "#/play?game=minesweeper&rules=board=9x9x10&seed=7&moves=e5&players=human;human");
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".percent").first().waitFor();
    await page.getByRole("combobox", { name: "Player" }).selectOption("first");
    await until(page, 2);
    assert.equal(await page.locator(".percent").count(), 0, "probabilities over numbers that are open");
    await visit(page, "#/play?game=fanorona&moves=6-3+2-5&players=human;human");
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".marks .figure").first().waitFor();
    await page.getByRole("button", { name: "One move back" }).click();
    await page.waitForFunction(() => document.querySelector("li.now")?.textContent.trim() === "6-3");
    assert.equal(await page.locator(".marks .figure").count(), 0, "a hint for the position after it");
  });

  await test("a network that says the value alone is looked into", {}, async (page) => {
    await visit(page, "#/networks?model=chess");
    await page.locator(".tint").first().waitFor();
    assert.ok((await page.locator(".answers button").count()) === 1, "the value is what is explained");
    await page.locator(".layers button").first().click();
    await page.getByRole("heading", { name: /^Activations/ }).waitFor();
    await page.getByRole("button", { name: "The network moves" }).click();
    await page.getByText("Black to move", { exact: false }).first().waitFor();
  });

  await test("errors name no folder of the server", {}, async (page) => {
    await visit(page, "#/play?game=fanorona&players=human;net:%2Fno%2Fsuch%2Ffolder%2Fmodel.safetensors");
    await page.getByLabel("Write a move").fill("6-3");
    await page.keyboard.press("Enter");
    const alert = page.getByRole("alert").first();
    await alert.waitFor();
    assert.doesNotMatch(await alert.textContent(), /\/no\/such/);
  });

  await test("a bar and the number beside it say the same", {}, async (page) => {
    for (const game of ["fanorona&moves=6-3+2-5", "domineering&rules=board=6x6&moves=b2"]) {
      await visit(page, `#/analysis?game=${game}&player=net`);
      await page.locator("tbody tr .bar").first().waitFor();
      const rows = await page.locator("tbody tr").evaluateAll((all) =>
        all.map((row) =>
          [...row.querySelectorAll("td:has(.bar)")].map((cell) => ({
            bar: Number(cell.querySelector(".bar rect").getAttribute("width")) / 50,
            text: cell.textContent.trim(),
          })),
        ),
      );
      for (const row of rows) {
        assert.equal(row.length, 2, "what is certain and what the player thinks have a bar each");
        const [exact, thought] = row;
        assert.equal(exact.bar, { "+": 1, "=": 0.5, "−": 0 }[exact.text[0]], exact.text);
        const shown = /^[<>]?(\d+)/.exec(thought.text);
        assert.ok(shown && Math.abs(100 * thought.bar - Number(shown[1])) <= 1, `${thought.text} beside a bar of ${thought.bar}`);
      }
    }
  });

  await test("the links of the head keep the game", {}, async (page) => {
    await visit(page, "#/play?game=chess&moves=e4+e5+Nf3&players=human;human");
    await lastLink(page, "Analysis").click();
    await page.waitForFunction(() => /game=chess.*moves=e4\+e5\+Nf3/.test(location.hash));
    await page.getByLabel("f3, knight (white)").first().waitFor({ state: "attached" });
    await lastLink(page, "Networks").click();
    await page.waitForFunction(() => /model=chess/.test(location.hash) && /moves=e4\+e5\+Nf3/.test(location.hash));
    await page.getByLabel("f3, knight (white)").first().waitFor({ state: "attached" });
    await lastLink(page, "Play").click();
    await until(page, 3);
    // A position that came as a link is what is played, too.
    await visit(page, "#/lab");
    await visit(page, "#/analysis?game=fanorona&moves=6-3+2-5");
    await page.reload();
    await page.locator("tbody tr").first().waitFor();
    await lastLink(page, "Play").click();
    await page.waitForFunction(() => /game=fanorona.*moves=6-3\+2-5/.test(location.hash));
  });

  await test("players of the arena differ", {}, async (page) => {
    await visit(page, "#/arena");
    const play = page.getByRole("button", { name: "Play", exact: true });
    for (const game of ["fanorona", "connect-four"]) {
      await page.getByRole("combobox", { name: "Game" }).selectOption(game);
      while (await page.getByRole("button", { name: "+ Player" }).isEnabled()) await page.getByRole("button", { name: "+ Player" }).click();
      const players = await page.locator("form select").evaluateAll((all) => all.slice(1).map((one) => one.value));
      assert.equal(players.length, 8);
      assert.equal(new Set(players).size, 8, players.join(" "));
      assert.ok(await play.isEnabled());
    }
    const first = await page.getByLabel("Player 1").inputValue();
    await page.getByLabel("Player 2").selectOption(first);
    assert.ok(await play.isDisabled(), "a player cannot meet itself");
    await page.getByText("Every player can take part once").waitFor();
  });

  // A server of its own, which can go away.
  async function alone(name, options, work) {
    let server = await startServer(program);
    const stop = () => {
      const { stop } = server;
      server = null;
      return stop();
    };
    const restart = async () => (server = await startServer(program));
    await test(name, options, async () => {
      const opened = await openPage(browser, server.address, { ...options, expected: /ERR_CONNECTION_REFUSED|status of 403/ });
      try {
        await work(opened.page, { stop, restart, address: server.address });
        assert.deepEqual(opened.faults, []);
      } finally {
        await opened.close();
      }
    });
    if (server !== null) await server.stop();
  }

  for (const [language, gone, again, retry] of [
    ["en", "The server does not answer.", "Start it again in a terminal", "Try again"],
    ["fr", "Le serveur ne répond pas.", "Relancez-le dans un terminal", "Réessayer"],
  ]) {
    await alone(`a server that is gone, ${language}`, { language }, async (page, { stop }) => {
      await page.goto(`${page.url().split("#")[0]}#/play?game=fanorona&players=human;human`);
      await page.waitForSelector("[role=grid]");
      await stop();
      await page.locator(".cell.playable").first().click();
      await page.locator(".cell:has(.target)").first().click();
      await page.getByText(gone).first().waitFor();
      await page.getByText(again).first().waitFor();
      await page.getByText("damier serve").first().waitFor();
      await page.getByRole("button", { name: retry }).waitFor();
      assert.doesNotMatch(await page.locator("body").innerText(), /Failed to fetch/);
    });
  }

  for (const [language, locked, label, dark] of [
    ["en", "This page does not have the key of the server.", "Address", false],
    ["fr", "Cette page n'a pas la clé du serveur.", "Adresse", true],
  ]) {
    await test(`a bookmark without the token, ${language}`, {}, async () => {
      const server = await startServer(program);
      const bookmark = `${new URL(server.address).origin}/#/play?game=fanorona&moves=6-3&players=human;human`;
      const { page, faults, close } = await openPage(browser, bookmark, { ...phone, language, dark, expected: /status of 403/, ready: "[role=alert]" });
      try {
        await page.getByText(locked).waitFor();
        await page.getByText("damier serve").first().waitFor();
        const found = await new AxeBuilder({ page }).analyze();
        assert.deepEqual(found.violations.map((one) => one.id), []);
        await page.getByLabel(label).fill("no address");
        await page.keyboard.press("Enter");
        await page.getByText("http://…", { exact: false }).first().waitFor();
        await page.getByLabel(label).fill(server.address);
        await page.keyboard.press("Enter");
        await until(page, 1);
        assert.deepEqual(await moves(page), ["6-3"], "the address keeps the game");
        assert.deepEqual(faults, []);
      } finally {
        await close();
        await server.stop();
      }
    });
  }

  await test("PGN is opened and written", {}, async (page) => {
    const folder = mkdtempSync(join(tmpdir(), "damier-"));
    const file = join(folder, "mate.pgn");
    writeFileSync(file, '[Event "x"]\n[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 {a comment} Qh4# 0-1\n');
    await visit(page, "#/play?game=fanorona");
    await page.locator("input[type=file]").setInputFiles(file);
    await until(page, 4);
    assert.deepEqual(await moves(page), ["f3", "e5", "g4", "Qh4#"]);
    await page.getByText("A – B").waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as PGN" }).click()]);
    assert.match(download.suggestedFilename(), /\.pgn$/);
    assert.match(readFileSync(await download.path(), "utf8"), /1\. f3 e5 2\. g4 Qh4# 0-1/);
    writeFileSync(file, "1. e5 *\n");
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByText(/This does not work: .*e5/).waitFor();
    assert.deepEqual(await moves(page), ["f3", "e5", "g4", "Qh4#"], "the game stays");
    rmSync(folder, { recursive: true });
  });

  await test("a link with a wrong move shows the game up to it", {}, async (page) => {
    for (const view of ["play", "analysis", "networks"]) {
      await visit(page, `#/${view}?game=chess&moves=e4+e5+Ke3+Nf3&players=human;human`);
      await page.getByLabel("e4, pawn (white)").first().waitFor({ state: "attached" });
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.textContent(), /Ke3/);
      assert.match(await alert.textContent(), /up to move 2/);
      assert.doesNotMatch(await alert.textContent(), /moves\[|state/);
    }
    await visit(page, "#/play?game=fanorona&position=nonsense&players=human;human");
    await page.getByRole("alert").waitFor();
    await page.waitForSelector("[role=grid]");
  });

  await test("after the end nobody is to move", {}, async (page) => {
    await visit(page, "#/play?game=chess&moves=f3+e5+g4+Qh4%23&players=human;human");
    await page.getByText("Black wins (checkmate)").waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /to move/);
    await visit(page, "#/analysis?game=chess&moves=f3+e5+g4+Qh4%23");
    await page.getByText("Black wins (checkmate)").waitFor();
    assert.doesNotMatch(await page.locator("main").innerText(), /to move/);
  });

  await test("tables fit a phone", phone, async (page) => {
    await visit(page, "#/arena");
    await page.getByLabel("Player 1").selectOption({ index: 3 });
    await page.getByRole("spinbutton", { name: "Games" }).fill("4");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("link", { name: "Replay" }).first().waitFor();
    assert.deepEqual(await cutOff(page), []);
    for (const model of ["fanorona", "chess", "domineering"]) {
      await visit(page, `#/networks?model=${model}`);
      await page.locator("table").first().waitFor();
      assert.deepEqual(await cutOff(page), []);
    }
    await visit(page, "#/training");
    await page.getByLabel("Recipe").selectOption("fanorona-quick");
    await page.getByLabel("Settings").fill("epochs=1\ndata.generate.count=200");
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.getByRole("row", { name: /fanorona-quick.*done/ }).first().waitFor();
    assert.deepEqual(await cutOff(page), []);
    for (const analysis of ["game=bremen&position=a2a2c1a4/b3d4b3a5 b&player=net,mcts%3D50", "game=fanorona&moves=6-3+2-5&player=net,mcts%3D50"]) {
      await visit(page, `#/analysis?${analysis}`);
      await page.locator("tbody tr").first().waitFor();
      assert.deepEqual(await cutOff(page), []);
    }
    const experiments = await page.evaluate(async () => (await fetch("/api/experiments")).json());
    const row = { what: "share of positions in which the move keeps the value of the game", published: "99.95 %", is_goal: false, ours: 0.9876, interval: [0.98, 0.99], n: 123456, kind: "share", verdict: "within" };
    for (const one of experiments.experiments) one.ours.quick = { quick: true, seed: 1, seconds: 12, rows: [row, { ...row, verdict: "missed", is_goal: true }] };
    await page.route("**/api/experiments", (route) => route.fulfill({ json: experiments }));
    await visit(page, "#/lab");
    await page.locator("article tbody td").first().waitFor();
    assert.deepEqual(await cutOff(page), []);
  });

  await test("moves that name no cell are buttons", {}, async (page) => {
    let asked = "";
    await page.route("**/api/position", async (route) => {
      asked = JSON.parse(route.request().postData()).move ?? "";
      if (asked === "pass") return route.fulfill({ status: 422, json: { schema: "damier/error/1", error: "no passing here" } });
      const response = await route.fetch();
      const position = await response.json();
      position.legal.push({ move: "pass", kind: "", cells: [] });
      return route.fulfill({ response, json: position });
    });
    for (const view of ["play", "analysis"]) {
      asked = "";
      await visit(page, `#/${view}?game=fanorona&players=human;human`);
      await page.locator("section, .thoughts").first().getByRole("button", { name: "pass", exact: true }).first().click();
      await page.getByRole("alert").waitFor();
      assert.equal(asked, "pass");
    }
  });

  if (!own || !existsSync(own)) return console.log("skipped: examples/my_game is not built");
  await test("a game of one's own is complete without a line", {}, async () => {
    const server = await startServer(own);
    const { page, faults, close } = await openPage(browser, server.address);
    const at = async (hash) => {
      await page.goto(`${new URL(server.address).origin}/${hash}`);
      await page.waitForSelector("main [role=grid]");
    };
    try {
      await at("#/play?game=hexapawn&players=human;human");
      const fills = await page.evaluate(() =>
        ["white", "black"].map((side) => {
          const piece = document.querySelector(`.cell[aria-label*="(${side})"] .body`);
          return getComputedStyle(piece).fill;
        }),
      );
      assert.notEqual(fills[0], fills[1], "the sides can be told apart");
      await page.getByLabel("b1, pawn (white)").click();
      await page.getByLabel("b2, empty").click();
      await until(page, 1);
      assert.deepEqual(await moves(page), ["b1b2"]);
      await page.getByRole("button", { name: "Hint" }).click();
      await page.locator(".marks .figure").first().waitFor();
      await at("#/play?game=hexapawn&players=human;perfect");
      await page.getByLabel("a1, pawn (white)").click();
      await page.getByLabel("a2, empty").click();
      await until(page, 2);
      await at("#/play?game=hexapawn&players=random;random");
      await page.waitForFunction(() => /wins \(/.test(document.querySelector(".status").textContent));
      await at("#/analysis?game=hexapawn&moves=b1b2");
      await page.locator(".marks .figure").first().waitFor();
      assert.match(await page.locator("tbody").innerText(), /in \d+/);
      assert.deepEqual(faults, []);
    } finally {
      await close();
      await server.stop();
    }
  });
}
