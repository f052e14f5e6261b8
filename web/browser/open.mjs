// A server and a browser for whoever drives the page: Debian's Chromium, and the program that was
// built.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

// With a state of its own; resolves when the server says where it is.
export function startServer(program, options = []) {
  const folder = mkdtempSync(join(tmpdir(), "damier-"));
  const server = spawn(program, ["serve", "--port", "0", "--no-open", ...options], {
    env: { ...process.env, DAMIER_STATE: folder, DAMIER_STORE: join(folder, "runs.db") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = () =>
    new Promise((resolve) => {
      server.once("exit", (code) => {
        rmSync(folder, { recursive: true, force: true });
        resolve(code);
      });
      server.kill("SIGINT");
    });
  return new Promise((resolve, reject) => {
    let said = "";
    server.once("exit", () => reject(new Error("the server ended")));
    server.stdout.on("data", (data) => {
      said += data;
      if (said.includes("\n")) resolve({ address: said.split("\n")[0], process: server.pid, stop });
    });
  });
}

export async function openBrowser() {
  return chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
}

// A page that fails on any error of a script, and on anything that is asked from elsewhere.
export async function openPage(browser, address, { width = 1280, height = 900, dark = false, language = "en", dist = process.env.DAMIER_DIST, expected = /^$/, ready = "main [role=grid], main table, main .view" } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    locale: language === "fr" ? "fr-FR" : "en-GB",
    hasTouch: width < 600,
  });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (422|409)/.test(message.text()) && !expected.test(message.text())) faults.push(message.text());
  });
  const origin = new URL(address).origin;
  await page.route("**/*", (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== origin && !["blob:", "data:"].includes(url.protocol)) {
      faults.push(`asked elsewhere: ${url}`);
      return route.abort();
    }
    // While the page is being written: what Vite built last, not what is in the program.
    const file = url.pathname === "/" ? "/index.html" : url.pathname;
    if (dist && !url.search && existsSync(dist + file)) {
      const type = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" }[file.split(".").pop()];
      return route.fulfill({ body: readFileSync(dist + file), contentType: type });
    }
    return route.continue();
  });
  await page.goto(address);
  if (dist) await page.goto(`${origin}/${new URL(address).hash}`);  // what a redirection leads to is not routed
  await page.waitForSelector(ready);
  return { page, faults, close: () => context.close() };
}
