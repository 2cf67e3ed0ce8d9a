/**
 * The browser's rows of the table of speeds. Arguments: the server's address, and the cookies of a reader with 150
 * books and of one with 10,000. Prints one line of JSON for each measurement; `make bench` adds them to its table.
 */
import { chromium } from "@playwright/test";

const [base, smallCookie, largeCookie] = process.argv.slice(2);
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
  console.log(JSON.stringify({ row, what, measured, unit, goal }));
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** A page for a reader, or for a visitor. */
async function pageOf(cookie) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  if (cookie) {
    const [name, value] = cookie.split("=");
    await context.addCookies([{ name, value, url: base }]);
  }
  return context.newPage();
}

/** What the pages load, in KiB: script and style as gzip sends them, fonts as they are. */
async function sizes() {
  const visitorPages = new Set();
  const inside = new Set();
  for (const [path, seen, cookie] of [
    ["/", visitorPages],
    ["/login", visitorPages],
    ["/dashboard", inside, smallCookie],
  ]) {
    const page = await pageOf(cookie);
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
  say(14, "script and style of landing page and login, gzip", await kib(visitorPages, code, "gzip"), " KiB", 120);
  say(14, "script and style of the dashboard in all, gzip", await kib(inside, code, "gzip"), " KiB", 160);
  say(14, "fonts of the dashboard", await kib(inside, /\.woff2$/, "identity"), " KiB", 90);
}

/** Times of the dashboard: drawn, searched, scrolled. */
async function speeds() {
  const drawn = [];
  for (let round = 0; round < 5; round++) {
    const page = await pageOf(largeCookie);
    const started = performance.now();
    await page.goto(`${base}/dashboard`);
    await page.locator("tr[aria-rowindex='2']").waitFor();
    await page.locator("canvas").first().waitFor();
    drawn.push(performance.now() - started);
    await page.context().close();
  }
  say(16, "10,000 books: navigation to drawn dashboard", median(drawn), " ms", 1000);
  const small = await dashboard(smallCookie);
  const large = await dashboard(largeCookie);
  const times = { small: [], large: [] };
  for (let round = 0; round < 3; round++) {
    // Characters that some titles lack, so that the result changes.
    for (const letter of ["w", "r", "i", "g", "l", "m", "u"]) {
      times.small.push(await keystroke(small, letter));
      times.large.push(await keystroke(large, letter));
    }
  }
  const ratios = times.large.map((ms, key) => ms / times.small[key]);
  say(
    16,
    "10,000 books: a key in the title search to new table and charts, 4 × slowed",
    median(times.large),
    " ms",
    100,
  );
  say(16, "the same against 150 books", median(ratios), " ×", 2);
  say(16, "10,000 books: the longest task while scrolling", await longestWhileScrolling(), " ms", 50);
}

async function dashboard(cookie) {
  const page = await pageOf(cookie);
  await page.goto(`${base}/dashboard`, { waitUntil: "networkidle" });
  await page.locator("tr[aria-rowindex='2']").waitFor();
  // Without the service worker the answers would take another path than later.
  await page.evaluate(() => navigator.serviceWorker.ready);
  const devtools = await page.context().newCDPSession(page);
  return { page, slow: (rate) => devtools.send("Emulation.setCPUThrottlingRate", { rate }) };
}

/**
 * Milliseconds from a key press to the frame after the last change of figures, charts and table. The shelf may follow
 * later, and is not waited for.
 */
async function keystroke({ page, slow }, letter) {
  await page.bringToFront();
  const field = page.getByPlaceholder("Search titles");
  await field.fill("");
  await page.waitForTimeout(2 * QUIET_MS);
  // A slowed page keeps a core busy even when it does nothing, so the other page must not be slowed meanwhile.
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

async function longestWhileScrolling() {
  const page = await pageOf(largeCookie);
  await page.goto(`${base}/dashboard`, { waitUntil: "networkidle" });
  await page.locator("tr[aria-rowindex='2']").scrollIntoViewIfNeeded();
  await page.waitForTimeout(QUIET_MS);
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      window.longest = Math.max(window.longest, ...list.getEntries().map((entry) => entry.duration));
    }).observe({ type: "longtask" });
  });
  await page.mouse.move(640, 600);
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
  await page.waitForTimeout(QUIET_MS);
  return page.evaluate(() => window.longest);
}
