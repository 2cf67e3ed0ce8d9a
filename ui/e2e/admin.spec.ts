import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";
import { beOperator, signUp } from "./people";

/** A reader who signs up in a browser of their own. */
async function newReader(browser: Browser, name: string): Promise<{ page: Page; email: string }> {
  const page = await (await browser.newContext()).newPage();
  return { page, email: await signUp(page, name) };
}

/** Opens the list of users, filtered to one of them. */
async function find(page: Page, email: string): Promise<void> {
  await page.goto("/admin?tab=users");
  await page.getByRole("searchbox", { name: "Search users" }).fill(email);
  await expect(page.getByText("1 of 1 user")).toBeVisible();
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`the operator's area is accessible in ${colorScheme}, and no wider than a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await beOperator(page);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("/admin");
      await expect(page.getByText(/^(Balanced|Underutilized|High load)$/)).toBeVisible();
      await page.getByRole("button", { name: "View More: User Insights" }).click();
      await expect(page.getByText("1-Day Retention")).toBeVisible();
      await expect(page.getByRole("button", { name: "reader" })).toBeVisible();
      await expectAccessible(page);
      await expectToFit(page, width);

      await page.getByRole("tab", { name: "Users" }).click();
      await expect(page.getByText("Ida Berg").first()).toBeVisible();
      await expectAccessible(page);
      await expectToFit(page, width);
    }
  });
}

test("the operator's area is for operators", async ({ page }) => {
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/login$/);
  await signUp(page);
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("link", { name: "Admin", exact: true })).toHaveCount(0);
});

test("the load is asked for again and again, and the focus stays where it is", async ({ page }) => {
  await page.clock.install();
  await beOperator(page);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Admin", exact: true }).click();
  await expect(page.getByText(/^(Balanced|Underutilized|High load)$/)).toBeVisible();
  const button = page.getByRole("button", { name: "View More: User Insights" });
  await button.focus();
  const next = page.waitForResponse("**/api/admin/analytics/system");
  await page.clock.runFor(10_000);
  expect((await next).status()).toBe(200);
  await expect(button).toBeFocused();
});

test("without a GeoIP file the places say what they need", async ({ page }) => {
  await beOperator(page);
  await page.goto("/admin");
  const places = page.getByRole("region", { name: "Location Analytics" });
  await expect(places.getByText("No location data available yet")).toBeVisible();
  await expect(places.getByText(/geoip_database/)).toBeVisible();
});

test("an operator switches their own plan", async ({ page }) => {
  await beOperator(page);
  await page.goto("/admin");
  const control = page.getByRole("region", { name: "Subscription Control" });
  await expect(control.getByRole("button", { name: "reader" })).toBeDisabled();
  await control.getByRole("button", { name: "shelfwise_plus" }).click();
  await expect(page.getByText("Plan switched").first()).toBeVisible();
  await expect(control.getByRole("button", { name: "shelfwise_plus" })).toBeDisabled();
  await page.goto("/account?tab=billing");
  await expect(page.getByText("Shelfwise Plus").first()).toBeVisible();
});

test("an operator sets someone's plan and role, but has no menu for themselves", async ({ page, browser }) => {
  const self = await beOperator(page, "Ida Own");
  const reader = await newReader(browser, "Rosa Ibarra");

  await find(page, self);
  await expect(page.getByRole("button", { name: "Actions for Ida Own" })).toHaveCount(0);

  await find(page, reader.email);
  await choose(page, "Rosa Ibarra", "Change plan");
  const dialog = page.getByRole("dialog", { name: "Change the plan of Rosa Ibarra" });
  await expectAccessible(page);
  await dialog.getByLabel("Plan").selectOption("shelfwise_plus");
  await dialog.getByRole("button", { name: "Set Plan" }).click();
  await expect(page.getByText("Plan updated").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Actions for Rosa Ibarra" })).toBeFocused();
  await expect(page.getByRole("row", { name: /Rosa Ibarra/ }).getByText("Shelfwise Plus")).toBeVisible();
  await reader.page.goto("/account?tab=billing");
  await expect(reader.page.getByText("Shelfwise Plus").first()).toBeVisible();

  await choose(page, "Rosa Ibarra", "Make an operator");
  await expect(page.getByRole("row", { name: /Rosa Ibarra/ }).getByText("admin")).toBeVisible();
  await page.getByRole("combobox", { name: "Role" }).selectOption("user");
  await expect(page.getByRole("heading", { name: "No users found" })).toBeVisible();
});

test("a disabled account is signed out, and can be enabled again", async ({ page, browser }) => {
  await beOperator(page);
  const reader = await newReader(browser, "Piet de Wit");
  await find(page, reader.email);
  await choose(page, "Piet de Wit", "Disable");
  await expect(page.getByRole("button", { name: "Keep enabled" })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await expect(page.getByText("User disabled").first()).toBeVisible();
  await reader.page.goto("/dashboard");
  await expect(reader.page).toHaveURL(/\/login$/);

  await page.getByRole("combobox", { name: "Role" }).selectOption("disabled");
  await choose(page, "Piet de Wit", "Enable");
  await expect(page.getByText("User enabled").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: "No users found" })).toBeVisible();
});
