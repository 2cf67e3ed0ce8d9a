import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type APIRequestContext, expect, type Page, request, test } from "@playwright/test";
import { PASSWORD } from "./people";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const EDGE =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0";

/** A server of this test's own: on a shared one, other sign-ups would be counted. */
interface Server {
  url: string;
  /** The lines that it printed before it was ready. */
  printed: string[];
  stop: () => Promise<void>;
}

async function serve(args: readonly string[]): Promise<Server> {
  const { BINARY } = process.env;
  if (!BINARY) throw new Error("BINARY names the program");
  const child: ChildProcess = spawn(BINARY, ["serve", "--listen", "127.0.0.1:0", ...args], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (!child.stdout) throw new Error("the program's output can't be read");
  const printed: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const url = /^Shelfwise is ready at (\S+)$/.exec(line)?.[1];
    if (url) {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      return {
        url,
        printed,
        stop: () => {
          child.kill("SIGTERM");
          return ended;
        },
      };
    }
    printed.push(line);
  }
  throw new Error(`the program ended: ${printed.join(" ")}`);
}

/** A new reader on a device. */
async function comeBy(server: Server, name: string, userAgent: string): Promise<APIRequestContext> {
  const browser = await request.newContext({ baseURL: server.url, userAgent });
  const data = { email: `${name}@example.org`, password: PASSWORD, displayName: name, timezone: "UTC" };
  const answer = await browser.post("/api/auth/signup", { data });
  expect(answer.status()).toBe(201);
  return browser;
}

/** The figures of a strip by their labels, as shown on the page. */
async function figures(page: Page, panel: string): Promise<Record<string, string>> {
  const strip = page.getByRole("region", { name: panel }).locator("dl").first();
  await expect(strip).toBeVisible();
  // While the figures are loading, their places are empty.
  await expect(strip.locator("dd").filter({ hasText: /^$/ })).toHaveCount(0);
  return strip.evaluate((list) =>
    Object.fromEntries(
      [...list.querySelectorAll("dt")].map((label) => [
        label.textContent ?? "",
        label.nextElementSibling?.textContent ?? "",
      ]),
    ),
  );
}

/** The rows of a ranked list: name and users. */
async function ranked(page: Page, panel: string): Promise<string[][]> {
  const rows = page.getByRole("region", { name: panel }).getByRole("listitem");
  await expect(rows.first()).toBeVisible();
  return rows.evaluateAll((items) =>
    items.map((item) => [...item.querySelectorAll(":scope > span")].map((span) => span.textContent?.trim() ?? "")),
  );
}

test("the operator's figures count what people did", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "shelfwise-figures-"));
  const server = await serve(["--data-dir", join(folder, "data")]);
  try {
    const devices = [IPHONE, IPHONE, IPHONE, IPHONE, FIREFOX, FIREFOX, EDGE];
    let requests = 0;
    for (const [number, device] of devices.entries()) {
      const reader = await comeBy(server, `reader${number}`, device);
      requests += 1;
      if (number % 2 === 0) {
        const book = { title: `Book ${number}`, author: "A", status: "undated" };
        expect((await reader.post("/api/books", { data: book })).status()).toBe(201);
        requests += 1;
      }
      for (let visit = 0; visit < number; visit++) {
        expect((await reader.get("/api/books")).status()).toBe(200);
        requests += 1;
      }
    }
    const made = [
      "user",
      "create",
      "operator@example.org",
      "--name",
      "Ida",
      "--admin",
      "--data-dir",
      join(folder, "data"),
    ];
    execFileSync(process.env.BINARY ?? "", made, { stdio: "pipe", input: `${PASSWORD}\n` });
    const login = { email: "operator@example.org", password: PASSWORD };
    expect((await page.request.post(`${server.url}/api/auth/login`, { data: login })).status()).toBe(200);

    await page.goto(`${server.url}/admin`);
    await page.getByRole("button", { name: "View More: User Insights" }).click();
    await expect(page.getByText("Became Inactive")).toBeVisible();
    const people = devices.length + 1;
    const withoutBook = devices.filter((_, number) => number % 2 === 1).length + 1;
    expect(await figures(page, "User Insights")).toEqual({
      "Total Users": `${people}`,
      "New Today": `${people}`,
      "New This Week": `${people}`,
      "New This Month": `${people}`,
      "1-Day Retention": "100.0%",
      "7-Day Retention": "100.0%",
      "Inactive New Users": `${withoutBook}`,
      "Became Inactive": "0",
    });
    const load = await figures(page, "System Load");
    expect(load["Active sessions"]).toBe(`${people}`);
    // The page's own requests are added, and more of them every ten seconds.
    expect(Number(load["Requests, total"])).toBeGreaterThan(requests);
    expect(Number(load["Requests, total"])).toBeLessThan(requests + 60);
    expect((await ranked(page, "Device Analytics")).slice(0, 2)).toEqual([
      ["Mobile Safari on iOS", "4 users"],
      ["Desktop Firefox on Linux", "2 users"],
    ]);
    expect((await ranked(page, "Device Analytics")).map(([name]) => name)).toContain("Desktop Edge on Windows");
    await page.getByRole("tab", { name: "Users" }).click();
    await expect(page.getByText(`${people} of ${people} users`)).toBeVisible();
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the demo's operator sees a server in use", async ({ page }) => {
  const server = await serve(["--demo"]);
  try {
    const [, email = "", password = ""] =
      server.printed.find((line) => line.startsWith("operator"))?.split(/\s+/) ?? [];
    const login = { email, password };
    expect((await page.request.post(`${server.url}/api/auth/login`, { data: login })).status()).toBe(200);
    await page.goto(`${server.url}/admin`);
    await page.getByRole("button", { name: "View More: User Insights" }).click();
    await expect(page.getByText("Became Inactive")).toBeVisible();
    const shown = await figures(page, "User Insights");
    const figure = (label: string) => Number.parseFloat(shown[label] ?? "");
    expect(figure("Total Users")).toBeGreaterThan(40);
    expect(figure("New This Month")).toBeGreaterThan(figure("New This Week"));
    expect(figure("1-Day Retention")).toBeGreaterThan(5);
    expect(figure("7-Day Retention")).toBeGreaterThan(figure("1-Day Retention"));
    expect(figure("Became Inactive")).toBeGreaterThan(2);
    expect(figure("Inactive New Users")).toBeGreaterThan(0);
    expect((await ranked(page, "Device Analytics")).length).toBe(5);
  } finally {
    await server.stop();
  }
});
