/**
 * Rows 9 and 10 of the table of speeds. Arguments: the server's address, and the cookie of a reader with 10,000 books.
 * Prints a line of JSON for each measurement: row, name, figure, unit, and the most that it may be.
 */
import { chromium } from "@playwright/test";

const [base, cookie] = process.argv.slice(2);
const QUIET_MS = 400;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
});
try {
  await sizes();
  await speeds();
} finally {
  await browser.close();
}

function say(row, what, measured, unit, goal) {
  console.log(JSON.stringify([row, what, measured, unit, goal]));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** A page for a reader, or for a visitor. */
async function pageOf(reader) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  if (reader) {
    const [name, value] = reader.split("=");
    await context.addCookies([{ name, value, url: base }]);
  }
  return context.newPage();
}

/** What the pages load, in KiB: script and style as gzip sends them, fonts as they are. */
async function sizes() {
  const visitorPages = new Set();
  const inside = new Set();
  for (const [path, seen, reader] of [
    ["/", visitorPages],
    ["/login", visitorPages],
    ["/dashboard", inside, cookie],
  ]) {
    const page = await pageOf(reader);
    page.on("response", (answer) => seen.add(answer.url()));
    await page.goto(base + path, { waitUntil: "networkidle" });
    await page.context().close();
  }
  const kib = async (urls, ending, encoding) => {
    let bytes = 0;
    for (const url of [...urls].filter((one) => ending.test(new URL(one).pathname))) {
      const answer = await fetch(url, { method: "HEAD", headers: { "Accept-Encoding": encoding } });
      bytes += Number(answer.headers.get("content-length"));
    }
    return bytes / 1024;
  };
  const code = /\.(js|css)$/;
  say(10, "script and style of landing page and login, gzip", await kib(visitorPages, code, "gzip"), " KiB", 150);
  say(10, "script and style of the dashboard, gzip", await kib(inside, code, "gzip"), " KiB", 230);
  say(10, "fonts of the dashboard", await kib(inside, /\.woff2$/, "identity"), " KiB", 100);
}

/** Times of a dashboard with 10,000 books. */
async function speeds() {
  const drawn = [];
  for (let round = 0; round < 5; round++) {
    const page = await pageOf(cookie);
    const started = performance.now();
    await page.goto(`${base}/dashboard`);
    await page.locator("tr[aria-rowindex='2']").waitFor();
    await page.locator("canvas").first().waitFor();
    drawn.push(performance.now() - started);
    await page.context().close();
  }
  say(9, "10,000 books: navigation to drawn dashboard", median(drawn), " ms", 1000);
  const page = await pageOf(cookie);
  await page.goto(`${base}/dashboard`, { waitUntil: "networkidle" });
  await page.locator("tr[aria-rowindex='2']").waitFor();
  // Without the service worker the answers would take another path than later.
  await page.evaluate(() => navigator.serviceWorker.ready);
  const devtools = await page.context().newCDPSession(page);
  const slow = (rate) => devtools.send("Emulation.setCPUThrottlingRate", { rate });
  const keys = [];
  // Characters that some titles lack, so that the result changes.
  for (const letter of "wriglmuwriglmuwriglmu") keys.push(await keystroke(page, slow, letter));
  say(9, "10,000 books: a key in the title search to new table and charts, 4 × slowed", median(keys), " ms", 150);
}

/**
 * Milliseconds from a key press to the frame after the last change of figures, charts and table. The shelf may follow
 * later, and is not waited for.
 */
async function keystroke(page, slow, letter) {
  const field = page.getByPlaceholder("Search titles");
  await field.fill("");
  await page.waitForTimeout(2 * QUIET_MS);
  await slow(4);
  await page.evaluate(() => {
    const seen = { pressed: 0, changed: 0 };
    const isShelf = (node) =>
      (node instanceof Element ? node : node.parentElement)?.closest("section")?.querySelector("h2")?.textContent ===
      "The shelf";
    const observer = new MutationObserver((changes) => {
      if (!seen.pressed || changes.every(({ target }) => isShelf(target))) return;
      requestAnimationFrame(() => {
        seen.changed = performance.now();
      });
    });
    observer.observe(document.querySelector("main") ?? document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    addEventListener(
      "keydown",
      () => {
        seen.pressed = performance.now();
      },
      { capture: true, once: true },
    );
    Object.assign(window, { seen, observer });
  });
  await field.press(letter);
  await page.waitForTimeout(4 * QUIET_MS);
  await slow(1);
  return page.evaluate(() => {
    const { seen, observer } = window;
    observer.disconnect();
    return seen.changed - seen.pressed;
  });
}
