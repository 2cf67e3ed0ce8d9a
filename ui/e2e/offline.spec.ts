import { expect, type Page, test } from "@playwright/test";
import { PASSWORD, TIME_ZONE } from "./people";
import { OwnServer } from "./server";

// Each test starts and stops a server of its own. The browser's emulation of a missing network is not enough: in some
// builds of Chromium the service worker stays connected.
let server: OwnServer;

test.beforeEach(async () => {
  server = await OwnServer.at();
  await server.start("");
});

test.afterEach(() => server.stop());

async function signUpWith(page: Page, titles: readonly string[]): Promise<void> {
  const data = { displayName: "Nora", email: "nora@example.org", password: PASSWORD, timezone: TIME_ZONE };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data })).status()).toBe(201);
  for (const title of titles) {
    const book = { title, author: "Dorothy L. Sayers", wordCount: 181_300, status: "undated", format: "Print" };
    expect((await page.request.post(`${server.url}/api/books`, { data: book })).status()).toBe(201);
  }
}

/** Opens a page, and opens it again once the service worker controls it. */
async function openWithWorker(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
}

/** The addresses of the answers that the worker has cached for a reader. */
function keptAnswers(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const cache = await caches.open(`shelfwise-reader${document.documentElement.dataset.base ?? ""}`);
    return (await cache.keys()).map(({ url }) => url);
  });
}

test("the program and the last seen library open while the server is away, and are gone after the logout", async ({
  page,
}) => {
  await signUpWith(page, ["Gaudy Night"]);
  await openWithWorker(page, "/dashboard");
  await expect(page.getByText("1 book tracked")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();
  await page.goto(`${server.url}/tbr`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await server.stop();
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible();
  await expect(page.getByText("1 book tracked")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();

  await server.start("");
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeHidden();
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(`${server.url}/`);
  await expect.poll(() => keptAnswers(page)).toEqual([]);

  await server.stop();
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});

test("the last seen library opens within seconds while the server accepts connections and answers nothing", async ({
  page,
}) => {
  await signUpWith(page, ["Gaudy Night"]);
  await openWithWorker(page, "/dashboard");
  await expect(page.getByText("1 book tracked")).toBeVisible();

  server.suspend();
  await page.goto(`${server.url}/dashboard`, { waitUntil: "commit" });
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText("1 book tracked")).toBeVisible();

  server.resume();
  await page.goto(`${server.url}/tbr`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeHidden();
});

test("the library opens while the server is away also after another sign-in", async ({ page, browser }) => {
  await signUpWith(page, ["Gaudy Night"]);
  await openWithWorker(page, "/dashboard");
  await expect(page.getByText("1 book tracked")).toBeVisible();
  // The session ends while the page is open.
  const elsewhere = (await browser.newContext()).request;
  const data = { email: "nora@example.org", password: PASSWORD };
  expect((await elsewhere.post(`${server.url}/api/auth/login`, { data })).status()).toBe(200);
  const sessions = (await (await elsewhere.get(`${server.url}/api/auth/sessions`)).json()) as {
    data: { id: number; current: boolean }[];
  };
  for (const { id } of sessions.data.filter(({ current }) => !current)) {
    expect((await elsewhere.delete(`${server.url}/api/auth/sessions/${id}`)).status()).toBe(204);
  }
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Reading" }).click();
  await page.getByLabel("Email").fill(data.email);
  await page.getByLabel("Password", { exact: true }).fill(data.password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Reading" })).toBeVisible();
  await expect
    .poll(async () => (await keptAnswers(page)).map((url) => url.replace(server.url, "")))
    .toEqual(expect.arrayContaining(["/api/auth/me", "/api/site", "/api/reading"]));

  await server.stop();
  await page.reload();
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible();
  await expect(page.getByText("Nothing open", { exact: true })).toBeVisible();
});

test("a search that is being typed is not cached", async ({ page }) => {
  await signUpWith(page, ["Gaudy Night", "Strong Poison"]);
  await openWithWorker(page, "/dashboard");
  await page.getByPlaceholder("Search titles").pressSequentially("gaudy");
  await expect(page.getByRole("cell", { name: "Strong Poison", exact: true })).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();
  await expect.poll(async () => (await keptAnswers(page)).some((url) => url.endsWith("/api/stats"))).toBe(true);
  expect((await keptAnswers(page)).filter((url) => url.includes("titleSearch"))).toEqual([]);
});

test("a visitor who has seen the landing page alone has every page while the server is away", async ({ page }) => {
  await openWithWorker(page, "/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A shelf that keeps count.");
  await server.stop();
  for (const [path, heading] of [
    ["/privacy", "Privacy Policy"],
    ["/dashboard", "Log in"],
    ["/", "A shelf that keeps count."],
  ] as const) {
    await page.goto(server.url + path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
});

test("the program can be installed", async ({ page }) => {
  await page.goto(server.url);
  const address = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await page.request.get(new URL(address ?? "", server.url).href);
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const { icons } = (await answer.json()) as { icons: { src: string; sizes: string }[] };
  for (const icon of icons) {
    const image = await page.request.get(new URL(icon.src, server.url).href);
    expect(image.headers()["content-type"]).toBe("image/png");
  }
  const worker = await page.request.get(`${server.url}/sw.js`);
  expect(worker.headers()["content-type"]).toContain("javascript");
  expect(worker.headers()["cache-control"]).toContain("no-cache");
});

test("a search without a network keeps the page, and is answered once the network is back", async ({ page }) => {
  await signUpWith(page, ["Gaudy Night", "Busman's Honeymoon"]);
  await openWithWorker(page, "/dashboard");
  await expect(page.getByText("2 books tracked")).toBeVisible();
  await expect
    .poll(() => keptAnswers(page))
    .toEqual(expect.arrayContaining([`${server.url}/api/books/titles`, `${server.url}/api/tbr`]));
  await server.stop();
  await page.getByLabel("Search titles").fill("gaudy");
  // No one has searched before: the lists came with the dashboard.
  const answers = page.getByRole("region", { name: "In your library and on your TBR" });
  await expect(answers.getByRole("link", { name: "Gaudy Night" })).toBeVisible();
  const alert = page.getByRole("alert").filter({ hasText: "could not be filtered. Showing all your books." });
  await expect(alert).toBeVisible();
  await expect(page.getByRole("cell", { name: "Busman's Honeymoon", exact: true })).toBeVisible();
  await expect(page.getByLabel("Search titles")).toHaveValue("gaudy");
  // The filter is in the address: a reload must not lead to a dead end.
  await expect(page).toHaveURL(/titleSearch=gaudy/);
  await page.reload();
  await expect(alert).toBeVisible();
  await expect(page.getByRole("cell", { name: "Busman's Honeymoon", exact: true })).toBeVisible();

  await server.start("");
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("cell", { name: "Busman's Honeymoon", exact: true })).toBeHidden();
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();
  await expect(alert).toBeHidden();
});
