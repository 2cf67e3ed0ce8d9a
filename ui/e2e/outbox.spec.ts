import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { PASSWORD, TIME_ZONE, today } from "./people";
import { OwnServer } from "./server";

// The network is missing because the server is stopped: see offline.spec.ts.
let server: OwnServer;

test.beforeEach(async () => {
  server = await OwnServer.at();
  await server.start("");
});

test.afterEach(() => server.stop());

const WAITS = "Noted here; sent when there is a connection.";
const NORA = { email: "nora@example.org", password: PASSWORD };
const DAY = today();

/** Signs Nora up with open books of 400 pages. Returns their ids. */
async function signUpWith(page: Page, titles: readonly string[]): Promise<number[]> {
  const data = { displayName: "Nora", ...NORA, timezone: TIME_ZONE };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data })).status()).toBe(201);
  const ids: number[] = [];
  for (const title of titles) {
    const book = { title, author: "Frank Herbert", wordCount: 200_000, pages: 400, status: "in-progress" };
    const added = await page.request.post(`${server.url}/api/books`, { data: { ...book, startDate: DAY } });
    expect(added.status()).toBe(201);
    ids.push(((await added.json()) as { book: { id: number } }).book.id);
  }
  return ids;
}

/** Opens the reading page, and opens it again once the service worker controls it. */
async function openReading(page: Page): Promise<void> {
  await page.goto(`${server.url}/reading`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Dune" })).toBeVisible();
}

async function note(page: Page, place: string): Promise<void> {
  await page.getByLabel("Where you are in Dune").fill(place);
  await page.getByRole("button", { name: "Note", exact: true }).click();
}

/** Opens the form of a book that is not the first one. */
async function show(page: Page, title: string): Promise<void> {
  const open = page.getByRole("button", { name: `Note where you are in ${title}` });
  const form = page.getByLabel(`Where you are in ${title}`);
  await expect(open.or(form)).toBeVisible();
  if (await open.isVisible()) await open.click();
  await expect(form).toBeVisible();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
}

/** What the server has, asked past the page. */
async function stored<T>(page: Page, path: string): Promise<T> {
  return (await (await page.request.get(server.url + path)).json()) as T;
}

/** Waits until this browser keeps no act any more. */
async function expectAllSent(page: Page): Promise<void> {
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("shelfwise.outbox")));
  await expect.poll(kept).toEqual([]);
}

const daysOf = async (page: Page, id?: number) =>
  (await stored<{ data: { day: string; page: number }[] }>(page, `/api/books/${id}/days`)).data;

const titlesToRead = async (page: Page) =>
  (await stored<{ data: { title: string }[] }>(page, "/api/tbr")).data.map(({ title }) => title);

test("a place is noted while the server is away, stands at its book, and is sent once it is back", async ({ page }) => {
  const [dune] = await signUpWith(page, ["Dune"]);
  await openReading(page);
  await server.stop();
  await note(page, "100");
  const waiting = page.getByRole("region", { name: "1 note waits here" });
  await expect(waiting).toBeVisible();
  await expect(page.getByText(WAITS)).toBeVisible();
  await expect(page.getByText(/^Page 100 of 400, noted/)).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  // The page opens again without a network, with what waits.
  await page.reload();
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible();
  await expect(page.getByText(/^Page 100 of 400, noted/)).toBeVisible();
  await page.getByRole("button", { name: "10 pages on: page 110" }).click();
  await page.getByRole("button", { name: "Take back: Dune, page 100" }).click();
  await expect(waiting).toBeVisible();
  await expect(page.getByRole("button", { name: "Take back: Dune, page 110" })).toBeVisible();

  await server.start("");
  await page.reload();
  await expectAllSent(page);
  await page.reload();
  await expect(page.getByText(/^Page 110 of 400, noted/)).toBeVisible();
  expect(await daysOf(page, dune)).toEqual([expect.objectContaining({ day: DAY, page: 110 })]);
});

test("four acts of two tabs without a network are on the server exactly once", async ({ page, context }) => {
  // Three pages, and a server that stops and starts.
  test.slow();
  const [dune, emma] = await signUpWith(page, ["Dune", "Emma"]);
  await openReading(page);
  const other = await context.newPage();
  await other.goto(`${server.url}/reading`);
  await expect(other.getByRole("heading", { name: "Dune" })).toBeVisible();
  const listing = await context.newPage();
  await listing.goto(`${server.url}/add-book?tab=tbr`);
  await expect(listing.getByLabel("Title")).toBeVisible();
  await show(page, "Dune");
  await show(other, "Emma");

  await server.stop();
  await note(page, "120");
  await expect(page.getByRole("region", { name: "1 note waits here" })).toBeVisible();
  await page.getByRole("button", { name: "More for Dune" }).click();
  await page.getByRole("menuitem", { name: "Add a quote" }).click();
  await page.getByLabel("Quote", { exact: true }).fill("Fear is the mind-killer.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "2 notes wait here" })).toBeVisible();
  await other.getByRole("button", { name: "Finish", exact: true }).click();
  await other.getByRole("dialog").getByLabel("8", { exact: true }).check({ force: true });
  await other.getByRole("dialog").getByRole("button", { name: "Finish" }).click();
  await expect(other.getByRole("region", { name: "3 notes wait here" })).toBeVisible();
  await expect(other.getByRole("heading", { name: "Emma" })).toHaveCount(0);
  await listing.getByLabel("Title").fill("Orlando");
  await listing.getByRole("button", { name: "Add to TBR" }).click();
  await expect(page.getByRole("region", { name: "4 notes wait here" })).toBeVisible();
  await listing.goto(`${server.url}/tbr`);
  await expect(listing.getByRole("button", { name: "Take back: Orlando on your TBR" })).toBeVisible();

  await server.start("");
  await listing.reload();
  await expectAllSent(page);
  // The other tabs show what one of them has sent.
  await expect(page.getByText(/^Page 120 of 400, noted/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Emma" })).toHaveCount(0);
  await expect(other.getByText(/^Page 120 of 400, noted/)).toBeVisible();
  for (const tab of [page, other])
    await expect(tab.getByText("Offline. Showing your library as last seen")).toBeHidden();
  await Promise.all([page.reload(), other.reload()]);
  expect(await daysOf(page, dune)).toEqual([expect.objectContaining({ day: DAY, page: 120 })]);
  const finished = await stored<{ book: object }>(page, `/api/books/${emma}`);
  expect(finished.book).toMatchObject({ status: "completed", dateCompleted: DAY, rating: 8 });
  expect((await stored<{ book: { quotes: string[] } }>(page, `/api/books/${dune}`)).book.quotes).toEqual([
    "Fear is the mind-killer.",
  ]);
  expect(await titlesToRead(page)).toEqual(["Orlando"]);
});

test("an act whose answer is lost is on the server once", async ({ page }) => {
  await signUpWith(page, ["Dune"]);
  await page.goto(`${server.url}/add-book?tab=tbr`);
  let lost = 0;
  // The request arrives, and its answer does not.
  await page.route("**/api/tbr", async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await page.getByLabel("Title").fill("Orlando");
  await page.getByRole("button", { name: "Add to TBR" }).click();
  await expect(page.getByText(WAITS).first()).toBeVisible();
  expect(await titlesToRead(page)).toEqual(["Orlando"]);
  await expectAllSent(page);
  expect(await titlesToRead(page)).toEqual(["Orlando"]);
});

test("what waits outlasts the session, for its reader alone", async ({ page }) => {
  const [dune] = await signUpWith(page, ["Dune"]);
  await openReading(page);
  await server.stop();
  await note(page, "150");
  await expect(page.getByRole("region", { name: "1 note waits here" })).toBeVisible();
  await server.start("");
  // Another browser of the reader ends all sessions.
  await page.context().clearCookies();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();

  const other = { displayName: "Ada", email: "ada@example.org", password: PASSWORD };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data: other })).status()).toBe(201);
  await page.goto(`${server.url}/reading`);
  await expect(page.getByText("Nothing open", { exact: true })).toBeVisible();
  await expect(page.getByText(WAITS)).toHaveCount(0);
  await logOut(page);
  await expect(page).toHaveURL(`${server.url}/`);

  expect((await page.request.post(`${server.url}/api/auth/login`, { data: NORA })).status()).toBe(200);
  await page.goto(`${server.url}/reading`);
  await expectAllSent(page);
  expect(await daysOf(page, dune)).toEqual([expect.objectContaining({ page: 150 })]);
});

test("a note of a book that was deleted elsewhere is kept, copied and discarded", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const [dune] = await signUpWith(page, ["Dune", "Emma"]);
  await openReading(page);
  await show(page, "Dune");
  await server.stop();
  await note(page, "212");
  await expect(page.getByRole("region", { name: "1 note waits here" })).toBeVisible();
  // The page that is open would send the note as soon as the server is back.
  await page.goto("about:blank");
  await server.start("");
  expect((await page.request.delete(`${server.url}/api/books/${dune}`)).status()).toBe(204);
  await page.goto(`${server.url}/reading`);
  const refused = page.getByRole("alert").filter({ hasText: "“Dune” was deleted elsewhere. Your note of" });
  await expect(refused).toContainText("(page 212) was kept here.");
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await refused.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`Dune, page 212, ${DAY}`);
  await refused.getByRole("button", { name: "Discard" }).click();
  await expect(refused).toHaveCount(0);
  await expectAllSent(page);
});

test("logging out asks before notes are lost", async ({ page }) => {
  const [dune] = await signUpWith(page, ["Dune"]);
  await openReading(page);
  await server.stop();
  for (const [place, notes] of [
    ["100", "1 note waits here"],
    ["110", "2 notes wait here"],
  ] as const) {
    await note(page, place);
    await expect(page.getByRole("region", { name: notes })).toBeVisible();
  }
  await logOut(page);
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("2 notes have not been sent. Log out and lose them?");
  await question.getByRole("button", { name: "Stay logged in" }).click();
  await expect(page.getByRole("region", { name: "2 notes wait here" })).toBeVisible();
  await logOut(page);
  await question.getByRole("button", { name: "Log Out" }).click();
  await expect(page.getByRole("heading", { name: "Log out" })).toBeVisible();
  await expectAllSent(page);

  // The page tries again by itself, and must not end the next session.
  await page.goto("about:blank");
  await server.start("");
  expect((await page.request.post(`${server.url}/api/auth/login`, { data: NORA })).status()).toBe(200);
  expect(await daysOf(page, dune)).toEqual([]);
});
