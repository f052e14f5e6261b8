// The pictures of docs/images: node browser/images.mjs PROGRAM FOLDER
// Every view, light and dark, on a desktop and on a phone, with a training, a tournament and an
// experiment to look at.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { openBrowser, openPage, startServer } from "./open.mjs";

const [program, folder] = process.argv.slice(2);

// --- smaller files: 256 colours are enough for a page --------------------------------------------

function pixelsOf(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rows = Buffer.alloc(height * stride);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; ++x) {
      const left = x >= channels ? rows[y * stride + x - channels] : 0;
      const up = y > 0 ? rows[(y - 1) * stride + x] : 0;
      const corner = x >= channels && y > 0 ? rows[(y - 1) * stride + x - channels] : 0;
      const paeth = () => {
        const guess = left + up - corner;
        const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one));
        return a <= b && a <= c ? left : b <= c ? up : corner;
      };
      const predicted = [0, left, up, (left + up) >> 1, filter === 4 ? paeth() : 0][filter];
      rows[y * stride + x] = (raw[y * (stride + 1) + 1 + x] + predicted) & 255;
    }
  }
  return { width, height, channels, rows };
}

const table = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; ++bit) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  let sum = 0xffffffff;
  for (const byte of body) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE((sum ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}

function smaller(png) {
  const { width, height, channels, rows } = pixelsOf(png);
  const count = new Map();
  const colourAt = (i) => (rows[i] << 16) | (rows[i + 1] << 8) | rows[i + 2];
  for (let i = 0; i < rows.length; i += channels) count.set(colourAt(i), (count.get(colourAt(i)) ?? 0) + 1);
  const palette = [...count.entries()].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([colour]) => colour);
  const nearest = new Map(palette.map((colour, i) => [colour, i]));
  const indexOf = (colour) => {
    let found = nearest.get(colour);
    if (found !== undefined) return found;
    let least = Infinity;
    palette.forEach((other, i) => {
      const distance = [16, 8, 0].reduce((sum, shift) => sum + ((colour >> shift & 255) - (other >> shift & 255)) ** 2, 0);
      if (distance < least) [least, found] = [distance, i];
    });
    nearest.set(colour, found);
    return found;
  };
  const packed = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) packed[y * (width + 1) + 1 + x] = indexOf(colourAt((y * width + x) * channels));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk("IDAT", deflateSync(packed, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

// --- the pictures --------------------------------------------------------------------------------

const views = {
  play: ["#/play?game=chess&moves=e4+e5+Nf3+Nc6+Bb5+a6+Ba4+Nf6+O-O&players=human;human", ".cell"],
  bremen: ["#/play?game=bremen&position=a2a2c1a4/b3d4b3a5 b&players=human;human", ".tile"],
  analysis: ["#/analysis?game=domineering&rules=board=6x6&moves=b2&player=net", ".marks .figure"],
  minesweeper: ["#/analysis?game=minesweeper&rules=board=9x9x10,first=opening&seed=7&moves=e5&player=net", ".percent"],
  networks: ["#/networks?model=domineering&game=domineering&rules=board=6x6&moves=b2", ".tint"],
  training: ["#/training", "canvas"],
  arena: ["#/arena", "tbody tr"],
  lab: ["#/lab", "article"],
};

const server = await startServer(program);
const origin = new URL(server.address).origin;
const browser = await openBrowser();

const jobs = [
  { kind: "reproduce", experiment: "fanorona", quick: true },
  { kind: "tournament", game: "fanorona", players: ["net", "uct:100", "minimax:2", "random"], games: 40, seed: 1 },
  { kind: "train", recipe: "fanorona-self-play", set: ["generations=8", "games=128", "simulations=16", "evaluation.every=1", "evaluation.games=20"] },
];
{
  const { page, close } = await openPage(browser, server.address);
  for (const job of jobs) {
    await page.evaluate(
      async (body) => {
        const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
        await fetch("/api/jobs", asked);
        for (;;) {
          const { jobs } = await (await fetch("/api/jobs")).json();
          if (jobs[0].status !== "running") break;
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
      },
      job,
    );
  }
  await close();
}
process.on("uncaughtException", async (fault) => {
  console.error(fault);
  await server.stop();
  process.exit(1);
});
for (const [name, [hash, settled]] of Object.entries(views)) {
  for (const dark of [false, true]) {
    for (const phone of [false, true]) {
      const { page, close } = await openPage(browser, server.address, { dark, width: phone ? 390 : 1100, height: phone ? 780 : 760 });
      await page.goto(`${origin}/${hash}`);
      await page.locator(settled).first().waitFor();
      if (name === "networks") {
        await page.locator(".layers button").nth(3).click();
        await page.getByRole("heading", { name: /^Activations/ }).waitFor();
      }
      if (name === "training") await page.locator("select:has(option[value=elo])").selectOption("elo");
      await page.waitForTimeout(500);
      const path = join(folder, `workbench-${name}${dark ? "-dark" : ""}${phone ? "-phone" : ""}.png`);
      await page.screenshot({ path });
      writeFileSync(path, smaller(readFileSync(path)));
      await close();
    }
  }
}
await browser.close();
await server.stop();
