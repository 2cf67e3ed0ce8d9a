import { expect, test } from "@playwright/test";
import { pathOf } from "./below";
import { addBook } from "./books";
import { signUp } from "./people";

// The worker asks again when it takes over a page.
test.use({ serviceWorkers: "block" });

test("a daily page is opened without the code of the dashboard and of the visitors' pages, and its icons before its code", async ({
  page,
}) => {
  await signUp(page);
  const id = await addBook(page, { title: "Trust", status: "in-progress", rating: null });
  for (const path of ["/reading", `/book/${id}`]) {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(pathOf(request.url())));
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
  page.on("request", (request) => asked.push(pathOf(request.url())));
  await page.goto("/reading");
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
  expect(asked).not.toContain("/api/reading");
});
