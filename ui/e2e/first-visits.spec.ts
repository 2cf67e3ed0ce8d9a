import { expect, test } from "@playwright/test";
import { addBook } from "./books";
import { PASSWORD, signUp } from "./people";

// The worker asks again when it takes over a page.
test.use({ serviceWorkers: "block" });

test("the calls of a reader's first page begin before its code has arrived, and each is made once", async ({
  page,
}) => {
  await signUp(page);
  const id = await addBook(page, { title: "Trust", status: "in-progress", rating: null });
  const { book } = (await (await page.request.get(`/api/books/${id}`)).json()) as { book: { work: number } };
  for (const [path, calls] of [
    ["/reading", ["/api/auth/me", "/api/site", "/api/preferences", "/api/reading", "/api/calendar?*"]],
    [
      `/book/${id}`,
      [
        "/api/auth/me",
        "/api/site",
        "/api/preferences",
        `/api/books/${id}`,
        `/api/works/${book.work}`,
        "/api/reading",
        `/api/books/${id}/days`,
      ],
    ],
  ] as const) {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const early = Promise.all(calls.map((call) => page.waitForRequest(`**${call}`)));
    await page.route("**/assets/vendor-*.js", async (route) => {
      await early;
      await route.continue();
    });
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "Trust" }).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    const made = asked.filter((call) => call.startsWith("/api/"));
    expect([...made].sort()).toEqual([...new Set(made)].sort());
    page.removeAllListeners("request");
    await page.unrouteAll();
  }
});

test("a daily page is opened without the code of the dashboard and of the visitors' pages, and its icons before its code", async ({
  page,
}) => {
  await signUp(page);
  const id = await addBook(page, { title: "Trust", status: "in-progress", rating: null });
  for (const path of ["/reading", `/book/${id}`]) {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const icons = page.waitForRequest("**/assets/icons-*.svg");
    await page.route("**/assets/vendor-*.js", async (route) => {
      await icons;
      await route.continue();
    });
    await page.goto(path);
    await expect(page.getByRole("heading", { name: "Trust" }).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(asked.filter((file) => /^\/assets\/(dashboard|visitor)-/.test(file))).toEqual([]);
    page.removeAllListeners("request");
    await page.unrouteAll();
  }
});

test("a browser without a session begins no call of a reader", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/reading");
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  expect(asked).not.toContain("/early.js");
  expect(asked).not.toContain("/api/reading");
});

test("a session that has ended leaves no early answer to the reader who logs in next", async ({ page, context }) => {
  const email = await signUp(page);
  await addBook(page, { title: "Trust", status: "in-progress", rating: null });
  const cookies = await context.cookies();
  expect((await page.request.post("/api/auth/logout")).ok()).toBe(true);
  await context.addCookies(cookies);
  await page.goto("/reading");
  await expect(page).toHaveURL(/\/login/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("heading", { name: "Trust" })).toBeVisible();
});
