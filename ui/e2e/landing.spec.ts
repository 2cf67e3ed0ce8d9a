import { expect, type Page, test } from "@playwright/test";
import { refusals } from "./accessible";
import { pathOf } from "./below";
import { signUp } from "./people";

const HEADLINE = "A shelf that keeps count.";

/** Every element of the page with its classes, and its text. */
function drawn(page: Page) {
  return page.locator("#root").evaluate((root) => ({
    elements: [...root.querySelectorAll("*")].map(
      (element) => `${element.localName} ${element.getAttribute("class") ?? ""}`,
    ),
    words: root.querySelector("main")?.textContent,
  }));
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const colorScheme of ["light", "dark"] as const) {
    test(`a visitor reads the landing page in ${colorScheme}, and its links lead on`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto("/");
      await expect(page).toHaveTitle("Shelfwise, a reading tracker");
      await expect(page.getByRole("heading", { level: 1, name: HEADLINE })).toBeVisible();
      await expect(page.getByRole("heading", { level: 2, name: "A private library" })).toBeVisible();
      await expect(page.getByText("The Brothers Karamazov")).toBeVisible();
      // The computed styles, from every stylesheet of the page.
      await expect(page.getByRole("heading", { level: 1 })).toHaveCSS("font-family", /^"?Literata Variable/);
      await expect(page.locator("body")).toHaveCSS(
        "background-color",
        colorScheme === "dark" ? "rgb(16, 21, 31)" : "rgb(250, 247, 241)",
      );
      await page.getByRole("link", { name: "Log in" }).click();
      await expect(page).toHaveURL(/\/login$/);
    });
  }
});

test("the interface hydrates the landing page without a warning, and does not ask who is signed in", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(pathOf(request.url())));
  await page.goto("/");
  await expect(page.getByText("$0 forever")).toBeVisible();
  await expect(page.locator("svg [data-id]").first()).toBeVisible();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect(page.locator("html")).toHaveClass("dark");
  expect(asked).toContain("/api/plans");
  expect(asked).not.toContain("/api/auth/me");
  expect(complaints).toEqual([]);
});

test("the landing page that the server sends is the one that the program draws", async ({ page }) => {
  await page.goto("/");
  await expect(page.locator("svg [data-id]").first()).toBeVisible();
  await expect(page.getByText("$0 forever")).toBeVisible();
  const sent = await drawn(page);
  await page.getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Shelfwise" }).click();
  await expect(page.getByRole("heading", { level: 1, name: HEADLINE })).toBeVisible();
  await expect(page.locator("svg [data-id]").first()).toBeVisible();
  expect(await drawn(page)).toEqual(sent);
});

test("one icon of the theme's button stands there, in either theme and before the program", async ({ page }) => {
  await page.route("**/assets/*.js", (route) => route.abort());
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    const icons = page.getByRole("button", { name: "Switch between light and dark" }).locator("svg");
    await expect(icons).toHaveCount(2);
    await expect(icons.nth(colorScheme === "light" ? 0 : 1)).toBeVisible();
    await expect(icons.nth(colorScheme === "light" ? 1 : 0)).toBeHidden();
  }
});

test("someone signed in gets no landing page, but the dashboard", async ({ page }) => {
  const refused = refusals(page);
  await signUp(page);
  const answer = await page.request.get("/");
  expect(await answer.text()).not.toContain(HEADLINE);
  await page.goto("/");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  expect(refused).toEqual([]);
});

test("a session that has ended is a visit to the landing page", async ({ page, context }) => {
  await signUp(page);
  await page.request.post("/api/auth/logout");
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: HEADLINE })).toBeVisible();
  const { hostname } = new URL(page.url());
  await context.addCookies([{ name: "shelfwise_session", value: "A".repeat(43), domain: hostname, path: "/" }]);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: HEADLINE })).toBeVisible();
});
