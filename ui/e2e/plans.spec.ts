import { expect, type Locator, type Page, test } from "@playwright/test";
import { withPath } from "./below";
import { addBook, daysBefore, expectTitles } from "./books";
import { chartRows, expectFigure } from "./dashboard";
import { get, setPlan, signUp, today } from "./people";

// Requests by the service worker would bypass the routes that a test intercepts.
test.use({ serviceWorkers: "block" });

const DAY = today();

interface Preferences {
  brightness: number;
  sepia: number;
  [key: string]: unknown;
}

const preferences = async (page: Page) =>
  (await get<{ preferences: Preferences }>(page.request, "/api/preferences")).preferences;
const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();
const filter = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).filter);

/** The row of a setting: its name, its badge and its control. */
const setting = (page: Page, name: string): Locator =>
  page
    .getByRole("tabpanel")
    .locator("div")
    .filter({ has: page.getByText(name, { exact: true }) })
    .filter({ has: page.locator("input, select, button") })
    .last();

/** Every premium preference: its name, its key, how to change it by the keyboard, and the resulting value. */
const PREMIUM: readonly {
  name: string;
  key: string;
  role: "slider" | "combobox" | "switch";
  press: string;
  becomes: unknown;
}[] = [
  { name: "Brightness", key: "brightness", role: "slider", press: "ArrowLeft", becomes: 99 },
  { name: "Contrast", key: "contrast", role: "slider", press: "ArrowRight", becomes: 101 },
  { name: "Sepia", key: "sepia", role: "slider", press: "ArrowRight", becomes: 1 },
  { name: "Grayscale", key: "grayscale", role: "slider", press: "ArrowRight", becomes: 1 },
  { name: "Statistics by", key: "defaultStatsView", role: "combobox", press: "ArrowDown", becomes: "books" },
  { name: "Format", key: "defaultFormat", role: "combobox", press: "ArrowDown", becomes: "eBook" },
  { name: "Detect rereads", key: "autoDetectReread", role: "switch", press: "Space", becomes: true },
  { name: "Beta features", key: "betaFeaturesEnabled", role: "switch", press: "Space", becomes: true },
];

test("for a reader every premium preference is off and says so, and the rest is live", async ({ page }) => {
  await signUp(page);
  await page.goto("/account?tab=preferences");
  await expect(page.getByText("Custom themes, defaults and beta features come with Shelfwise Plus.")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Upgrade" })).toHaveAttribute(
    "href",
    withPath("/pricing"),
  );
  for (const { name, role } of PREMIUM) {
    await expect(page.getByRole(role, { name, exact: true })).toBeDisabled();
    await expect(setting(page, name).getByText("Premium")).toBeVisible();
  }
  await expect(page.getByText("Premium", { exact: true })).toHaveCount(PREMIUM.length);
  await expect(page.getByRole("button", { name: "Back to defaults" })).toHaveCount(0);
  // Sharing is for members of a team.
  await expect(page.getByRole("switch", { name: "Share with my team" })).toHaveCount(0);

  await page.getByRole("switch", { name: "Dark mode" }).focus();
  await page.keyboard.press("Space");
  await expect(toast(page, "Theme updated")).toBeVisible();
  await expect(page.locator("html")).toHaveClass("dark");
  await page.getByLabel("Time zone").selectOption("Pacific/Auckland");
  await expect(toast(page, "Preferences updated")).toBeVisible();
  expect(await preferences(page)).toMatchObject({ theme: "dark", timezone: "Pacific/Auckland" });
});

for (const plan of ["shelfwise_plus", "shelfwise_team"] as const) {
  test(`with ${plan} every preference is live, by the keyboard, and stays`, async ({ page }) => {
    setPlan(await signUp(page), plan);
    await page.goto("/account?tab=preferences");
    await expect(page.getByRole("slider", { name: "Brightness" })).toBeEnabled();
    await expect(page.getByText("Premium", { exact: true })).toHaveCount(0);
    for (const { name, key, role, press, becomes } of PREMIUM) {
      const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
      await page.getByRole(role, { name, exact: true }).focus();
      await page.keyboard.press(press);
      expect(await (await saved).json()).toMatchObject({ preferences: { [key]: becomes } });
      await expect(toast(page, "Preferences updated")).toBeVisible();
    }
    const sharing = page.getByRole("switch", { name: "Share with my team" });
    await expect(sharing).toHaveCount(plan === "shelfwise_team" ? 1 : 0);
    await page.reload();
    await expect(page.getByRole("slider", { name: "Sepia" })).toHaveValue("1");
    await expect(page.getByRole("combobox", { name: "Format" })).toHaveValue("eBook");
    await expect(page.getByRole("switch", { name: "Detect rereads" })).toBeChecked();

    // The defaults for new books.
    await page.goto("/add-book");
    await expect(page.getByRole("group", { name: "Format" }).getByRole("radio", { name: "eBook" })).toBeChecked();
  });
}

test("a filter shows as the slider moves, stays on every page, and Alt+Shift+0 takes it back everywhere", async ({
  page,
}) => {
  const email = await signUp(page);
  setPlan(email, "shelfwise_plus");
  await page.goto("/account?tab=preferences");
  const brightness = page.getByRole("slider", { name: "Brightness" });
  await expect(brightness).toBeEnabled();
  expect(await filter(page)).toBe("none");

  // The change shows at once, before anything is saved.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/preferences", async (route) => {
    if (route.request().method() === "PATCH") await held;
    await route.continue();
  });
  await brightness.fill("80");
  await page.getByRole("slider", { name: "Sepia" }).fill("20");
  expect(await filter(page)).toBe("brightness(0.8) sepia(0.2)");
  expect(await preferences(page)).toMatchObject({ brightness: 100, sepia: 0 });
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH");
  release();
  expect((await saved).ok()).toBe(true);
  await page.unroute("**/api/preferences");
  await expect.poll(() => preferences(page)).toMatchObject({ brightness: 80, sepia: 20 });

  await page.goto("/tbr");
  await expect.poll(() => filter(page)).toBe("brightness(0.8) sepia(0.2)");
  await page.keyboard.press("Alt+Shift+Digit0");
  await expect.poll(() => filter(page)).toBe("none");
  await expect.poll(() => preferences(page)).toMatchObject({ brightness: 100, sepia: 0 });

  // Everything is black: a button that the filter does not affect, and the keys again.
  await page.goto("/account?tab=preferences");
  await brightness.fill("0");
  await expect(page.getByText("Hard to read?")).toBeVisible();
  await expect.poll(() => preferences(page)).toMatchObject({ brightness: 0 });
  await page.reload();
  const rescue = page.locator("[popover]").getByRole("button", { name: "Back to defaults" });
  await expect(rescue).toBeVisible();
  await rescue.click();
  await expect(rescue).toHaveCount(0);
  await expect.poll(() => filter(page)).toBe("none");
  await expect.poll(() => preferences(page)).toMatchObject({ brightness: 100 });

  // When a plan ends the filter no longer applies, and its values are kept.
  await brightness.fill("60");
  await expect.poll(() => preferences(page)).toMatchObject({ brightness: 60 });
  setPlan(email, "reader");
  await page.reload();
  await expect(brightness).toBeDisabled();
  await expect(brightness).toHaveValue("100");
  expect(await filter(page)).toBe("none");
  setPlan(email, "shelfwise_plus");
  await page.reload();
  await expect(brightness).toHaveValue("60");
});

test("a plan that ended meanwhile is reported as a missing premium feature, and the slider goes back", async ({
  page,
}) => {
  const email = await signUp(page);
  setPlan(email, "shelfwise_plus");
  await page.goto("/account?tab=preferences");
  const sepia = page.getByRole("slider", { name: "Sepia" });
  await expect(sepia).toBeEnabled();
  setPlan(email, "reader");
  await sepia.fill("50");
  await expect(toast(page, "Premium Feature")).toBeVisible();
  await expect(toast(page, "Upgrade to access this feature")).toBeVisible();
  await expect(sepia).toHaveValue("0");
  await expect.poll(() => filter(page)).toBe("none");
});

test("profile and billing say the plan, what comes with it, and what can be done about it", async ({ page }) => {
  const email = await signUp(page);
  const row = (name: string) =>
    page
      .getByRole("tabpanel")
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) });
  const expectPlan = async (name: string, isPremium: boolean) => {
    await page.goto("/account");
    await expect(row("Current plan")).toContainText(name);
    await expect(row("Current plan").getByText("Premium")).toHaveCount(isPremium ? 1 : 0);
    await expect(row("Subscription")).toContainText("active");
    await page.goto("/account?tab=billing");
    await expect(row("Plan")).toContainText(name);
    await expect(page.getByRole("button", { name: "Cancel Subscription" })).toHaveCount(isPremium ? 1 : 0);
    await expect(page.getByRole("button", { name: "Manage Billing" })).toHaveCount(0);
    await expect(row("Books")).toHaveCount(isPremium ? 0 : 1);
    await expect(row("Analytics history")).toHaveCount(isPremium ? 0 : 1);
  };
  await expectPlan("Reader", false);
  await expect(row("Books")).toContainText("0 / 150");
  await expect(page.getByRole("link", { name: "Upgrade Plan" })).toHaveAttribute("href", withPath("/pricing"));
  setPlan(email, "shelfwise_plus");
  await expectPlan("Shelfwise Plus", true);
  await expect(page.getByRole("link", { name: "Upgrade Plan" })).toHaveAttribute("href", withPath("/pricing"));
  setPlan(email, "shelfwise_team");
  await expectPlan("Shelfwise Team", true);
  await expect(row("Team seats")).toContainText("1 / 10 seats used");
  await expect(page.getByRole("link", { name: "Upgrade Plan" })).toHaveAttribute("href", withPath("/pricing"));

  // A plan that the operator has set ends at once.
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Subscription" }).click();
  await expect(toast(page, "Subscription canceled")).toBeVisible();
  await expect(row("Plan")).toContainText("Reader");
});

test("a reader's history window: older books are hidden and never lost", async ({ page }) => {
  const email = await signUp(page);
  const months = Math.max(6, Number(DAY.slice(5, 7)));
  const old = await addBook(page, { title: "Long ago", wordCount: 50_000, dateCompleted: daysBefore(DAY, 800) });
  await addBook(page, { title: "Today", wordCount: 10_000, dateCompleted: DAY });
  await addBook(page, { title: "Sometime", wordCount: 20_000, status: "undated" });
  await addBook(page, { title: "Not yet", wordCount: 40_000, status: "in-progress", rating: null });

  await page.goto("/dashboard");
  await expect(page.getByText("4 books tracked")).toBeVisible();
  const banner = page.getByText(`Viewing limited history (YTD or last ${months} months). Upgrade to see all 4 books.`);
  await expect(banner).toBeVisible();
  await expectTitles(page, ["Today", "Not yet", "Sometime"]);
  await expectFigure(page, "Total Words", "30.0K");
  await expectFigure(page, "Books Read", "2");
  for (const chart of ["Top Authors by Words", "Words by Format"]) {
    const figure = page.getByRole("figure", { name: chart });
    await expect(figure.getByText("Premium", { exact: true })).toBeVisible();
    await expect(figure.getByText(/eBook, audiobook and physical formats/)).toBeVisible();
    await expect(figure.getByRole("link", { name: "Upgrade" })).toHaveAttribute("href", withPath("/pricing"));
    await expect(figure.getByRole("table")).toHaveCount(0);
  }

  // A hidden book still exists: it can be edited and exported.
  await page.goto(`/add-book?tab=edit&bookId=${old}`);
  await expect(page.getByLabel("Title")).toHaveValue("Long ago");
  expect(await (await page.request.get("/api/account/export/books.csv")).text()).toContain("Long ago");

  setPlan(email, "shelfwise_plus");
  await page.goto("/dashboard");
  await expectFigure(page, "Total Words", "80.0K");
  await expect(banner).toHaveCount(0);
  await expect.poll(() => chartRows(page, "Top authors by words")).toEqual([["Jane Austen", 80_000, 3]]);
  await expect.poll(() => chartRows(page, "Words by format")).toEqual([["Print", 80_000, 3]]);
});
