// How fast the workbench is: node browser/bench.mjs PROGRAM
// The page's size, its first paint, a network's answers, and what a good client waits while others
// attack. Times depend on the machine and on what else it does; they are printed, not judged.
import { readFileSync, readdirSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import { openBrowser, startServer } from "./open.mjs";

const program = process.argv[2];
const server = await startServer(program);
const { origin, port, searchParams } = new URL(server.address);
const token = searchParams.get("token");

const ordered = (times) => [...times].sort((a, b) => a - b);
const quantile = (times, share) => ordered(times)[Math.min(times.length - 1, Math.floor(share * times.length))];
const line = (what, times) =>
  console.log(
    `${what.padEnd(48)} median ${quantile(times, 0.5).toFixed(1)} ms, 95 % ${quantile(times, 0.95).toFixed(1)}, most ${Math.max(...times).toFixed(1)} (${times.length})`,
  );
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process}/status`, "utf8"))[1]) / 1024;

const agent = new http.Agent({ keepAlive: true });
function ask(path, body) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = http.request(
      `${origin}${path}`,
      {
        agent,
        method: body === undefined ? "GET" : "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) },
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve({ status: response.statusCode, ms: performance.now() - begin }));
      },
    );
    request.on("error", reject);
    request.end(text);
  });
}
async function many(count, path, body) {
  const times = [];
  for (let i = 0; i < count; ++i) {
    const { status, ms } = await ask(path, body(i));
    if (status !== 200) throw new Error(`${path}: ${status}`);
    times.push(ms);
  }
  return times;
}

console.log(`load ${loadavg()[0].toFixed(1)}`);
const files = readdirSync("dist").map((name) => readFileSync(`dist/${name}`));
const sum = (sizes) => sizes.reduce((all, one) => all + one, 0);
console.log(`page: ${sum(files.map((file) => file.length))} bytes, ${sum(files.map((file) => gzipSync(file, { level: 9 }).length))} compressed`);

const browser = await openBrowser();
const paints = [];
const boards = [];
for (let i = 0; i < 9; ++i) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.address);
  await page.waitForSelector("main [role=grid]");
  boards.push(await page.evaluate(() => performance.now()));
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await context.close();
}
await browser.close();
line("first contentful paint", paints);
line("the first board can be played on", boards);

for (const [game, rules] of [["fanorona", {}], ["bremen", {}], ["domineering", {}], ["minesweeper", {}]]) {
  line(`net answers, ${game}`, await many(20, "/api/answer", (i) => ({ state: { game, rules, seed: i + 1 }, player: "net" })));
}

const good = () => ({ state: { game: "chess", moves: ["e4", "e5"] } });
line("a position, nobody else here", await many(200, "/api/position", good));
const before = memory();
const crowd = [];
const connect = (text) => {
  const socket = net.connect(Number(port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(text);
  crowd.push(socket);
  return socket;
};
const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
for (let i = 0; i < 16; ++i) {
  connect("GET / HT"); // a slow client: nothing follows
  connect(`GET /api/events?page=${i} HTTP/1.1\r\n${head}\r\n`);
  connect("GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n");
  connect(`GET / HTTP/1.1\r\n${head}X: ${"x".repeat(20_000)}\r\n\r\n`);
}
const endless = connect(`POST /api/position HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
const pouring = setInterval(() => endless.writable && endless.write(chunk), 5);
line("a position, while others attack", await many(200, "/api/position", good));
clearInterval(pouring);
for (const socket of crowd) socket.destroy();
const names = ["fanorona", "bremen", "minesweeper", "chess", "domineering"];
await many(1000, "/api/answer", (i) => ({ state: { game: names[i % 5], seed: i }, player: "random" }));
console.log(`memory: ${before.toFixed(0)} MiB before the attack, ${memory().toFixed(0)} MiB after it and 1,000 games`);

agent.destroy();
await server.stop();
