import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { PASSWORD } from "./people";
import { OwnServer } from "./server";

let server: OwnServer;

test.beforeEach(async () => {
  server = await OwnServer.at();
  await server.start("");
});

test.afterEach(() => server.stop());

async function signUp(page: Page): Promise<void> {
  const data = { displayName: "Nora", email: "nora@example.org", password: PASSWORD };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data })).status()).toBe(201);
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
}

const SIGNED_IN = "This browser may still be logged in: the server did not confirm that you logged out.";

test("a log-out that no one answers says so, also to the next visit, until the server confirms it", async ({
  page,
}) => {
  await signUp(page);
  await page.goto(`${server.url}/account`);
  await expect(page.getByText("this one")).toBeVisible();
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).hover();
  await page.waitForLoadState("networkidle");
  await server.stop();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page.getByText(SIGNED_IN)).toBeVisible();
  const tryAgain = page.getByRole("button", { name: "Try Again" });
  await tryAgain.click();
  await expect(tryAgain).toBeEnabled();
  await expect(page.getByText(SIGNED_IN)).toBeVisible();
  await expectAccessible(page);

  await server.start("");
  expect((await page.request.get(`${server.url}/api/auth/me`)).status()).toBe(200);
  await tryAgain.click();
  await expect(page.getByRole("heading", { level: 1, name: "A shelf that keeps count." })).toBeVisible();
  expect((await page.request.get(`${server.url}/api/auth/me`)).status()).toBe(401);
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});

test("a visit after a log-out that failed finishes it by itself", async ({ page }) => {
  await signUp(page);
  await page.goto(`${server.url}/account`);
  await expect(page.getByText("this one")).toBeVisible();
  await page.route("**/api/auth/logout", (route) => route.abort());
  await logOut(page);
  await expect(page.getByText(SIGNED_IN)).toBeVisible();
  await page.unroute("**/api/auth/logout");
  await page.goto(`${server.url}/dashboard`);
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  expect((await page.request.get(`${server.url}/api/auth/me`)).status()).toBe(401);
});

/** A word that no page of the program contains. */
const PLANTED = "Quetzalcoatlus";

/** The files below a folder that contain the planted word, with one or two bytes for each character. */
function filesWithIt(folder: string): string[] {
  const needles = [Buffer.from(PLANTED), Buffer.from(PLANTED, "utf16le")];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => needles.some((needle) => readFileSync(file).includes(needle)));
}

test("over plain http the browser's profile holds nothing of the library, during the session and after it", async ({
  launchOptions,
}) => {
  const profile = mkdtempSync(join(tmpdir(), "shelfwise-profile-"));
  // The browser stores answers as they are sent: in compressed ones the word can't be seen.
  const asWritten = { extraHTTPHeaders: { "Accept-Encoding": "identity" }, serviceWorkers: "block" as const };
  const open = () => chromium.launchPersistentContext(profile, { ...launchOptions, ...asWritten });
  const see = async (context: BrowserContext) => {
    const page = await context.newPage();
    // Twice: by the second time the browser has written the answers of the first to the disk.
    for (const path of ["/dashboard", "/dashboard"]) {
      await page.goto(server.url + path);
      await expect(page.getByText(PLANTED).first()).toBeVisible();
    }
    return page;
  };
  try {
    const first = await open();
    const newcomer = await first.newPage();
    await signUp(newcomer);
    const book = { title: PLANTED, author: "Mark Witton", wordCount: 1_000, status: "undated", format: "Print" };
    expect((await newcomer.request.post(`${server.url}/api/books`, { data: book })).status()).toBe(201);
    await see(first);
    await first.close();
    expect(filesWithIt(profile)).toEqual([]);

    const second = await open();
    const page = await see(second);
    await logOut(page);
    await expect(page).toHaveURL(`${server.url}/`);
    await second.close();
    expect(filesWithIt(profile)).toEqual([]);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});
