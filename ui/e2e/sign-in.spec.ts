import { expect, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";

for (const colorScheme of ["light", "dark"] as const) {
  for (const [path, heading] of [
    ["/", "A shelf that keeps count."],
    ["/login", "Log in"],
    ["/signup", "Create an account"],
    ["/nowhere", "404 Page Not Found"],
  ] as const) {
    test(`${path} is accessible in ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
      await expectAccessible(page);
    });
  }
}

test("a page that does not exist is answered 404", async ({ page }) => {
  const answer = await page.goto("/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveTitle("404 Page Not Found");
});

test("a reader signs up, logs out, and gets back in with the right password only", async ({ page }) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  const email = `reader-${Date.now()}@example.org`;
  const password = "a shelf of one's own";

  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Display name").fill("Nora Lindqvist");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.getByRole("button", { name: "My Account" }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/$/);

  await page.getByRole("banner").getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("something else");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  // The session outlives a reload, and the public pages lead to the dashboard.
  await page.goto("/login");
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(refused).toEqual([]);
});

test("the theme that was chosen stays, before the first paint too", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/login");
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect(page.locator("html")).toHaveClass("dark");
  await page.reload({ waitUntil: "commit" });
  await expect(page.locator("html")).toHaveClass("dark");
});

test("on a phone nothing is wider than the screen", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/", "/login", "/signup", "/nowhere"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectToFit(page, 360);
  }
});
