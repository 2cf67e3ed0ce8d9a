import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";
import { newEmail, PASSWORD, TIME_ZONE } from "./people";
import { PaidServer } from "./stripe";

test.describe.configure({ mode: "serial" });
test.use({ serviceWorkers: "block" });

let paid: PaidServer;
test.beforeEach(async () => {
  paid = new PaidServer();
  await paid.start();
});
test.afterEach(() => paid.stop());

async function signUp(page: Page): Promise<void> {
  const data = { email: newEmail("payer"), password: PASSWORD, displayName: "Nora Lindqvist", timezone: TIME_ZONE };
  const answer = await page.request.post(`${paid.url}/api/auth/signup`, { data });
  expect(answer.status()).toBe(201);
}

const PLANS = ["Reader", "Shelfwise Plus", "Shelfwise Team"];

/** The label of each card's button, with a minus before a disabled one. */
async function expectActions(page: Page, expected: string[]): Promise<void> {
  await page.goto(`${paid.url}/pricing`);
  for (const [index, name] of PLANS.entries()) {
    const button = page.getByRole("region", { name }).getByRole("button");
    const wanted = expected[index] ?? "";
    await expect(button).toHaveText(wanted.replace("-", ""));
    await expect(button).toBeEnabled({ enabled: !wanted.startsWith("-") });
  }
}

async function openBilling(page: Page): Promise<void> {
  await page.goto(`${paid.url}/account?tab=billing`);
}

test("a whole life: reader, plus, team, cancelled, over, reader", async ({ page }) => {
  await signUp(page);
  await expectActions(page, ["-Current Plan", "Upgrade Now", "Start a team"]);
  await expectAccessible(page);

  // The reader leaves without paying.
  await page.getByRole("button", { name: "Upgrade Now" }).click();
  await expect(page.getByRole("heading", { name: "Pay price_plus_annual" })).toBeVisible();
  await page.getByRole("link", { name: "Leave" }).click();
  await expect(page.getByText("Checkout was canceled. Nothing was charged.")).toBeVisible();

  await page.getByRole("button", { name: "Monthly" }).click();
  await page.getByRole("button", { name: "Upgrade Now" }).click();
  await expect(page.getByRole("heading", { name: "Pay price_plus_monthly" })).toBeVisible();
  await page.getByRole("button", { name: "Pay" }).click();
  await expect(page).toHaveURL(`${paid.url}/account?success=true`);
  await expect(page.getByText("Welcome to Shelfwise Plus")).toBeVisible();
  await openBilling(page);
  await expect(page.getByText("Monthly, $2.99 per month")).toBeVisible();
  await expect(page.getByText("active", { exact: true })).toBeVisible();
  await expectAccessible(page);

  await expectActions(page, ["-Downgrade", "-Current Plan", "Start a team"]);
  await page.getByRole("button", { name: "Start a team" }).click();
  await page.getByLabel("Team name").fill("Tuesdays");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Welcome to Shelfwise Team")).toBeVisible();
  expect(paid.subscriptions.size).toBe(1);
  await expectActions(page, ["-Downgrade", "Downgrade to Plus", "-Current Plan"]);
  await page.goto(`${paid.url}/team`);
  await expect(page.getByRole("heading", { name: "Tuesdays" })).toBeVisible();
  await page.getByRole("button", { name: "One seat more" }).click();
  await page.getByRole("button", { name: "One seat more" }).click();
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText("Seats updated", { exact: true })).toBeVisible();
  expect(paid.only().items.data.map(({ quantity }) => quantity)).toEqual([1, 2]);

  await openBilling(page);
  await expect(page.getByText("Annual, $60 per year and 2 seats at $10 each")).toBeVisible();
  await page.getByRole("button", { name: "Cancel Subscription" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel Subscription" }).click();
  await expect(page.getByText("Subscription canceled", { exact: true }).first()).toBeVisible();
  await expect(page.getByText(/^Canceled. You keep Shelfwise Team until/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel Subscription" })).toBeHidden();
  expect(paid.only().cancel_at_period_end).toBe(true);
  await expectAccessible(page);

  await paid.change(paid.only(), { status: "canceled" });
  await openBilling(page);
  await expect(page.getByText("0 / 150")).toBeVisible();
  await expectActions(page, ["-Current Plan", "Upgrade Now", "Start a team"]);
  // The team still exists under its name, and its owner can pay for it again.
  await page.getByRole("button", { name: "Start a team" }).click();
  await expect(page.getByRole("heading", { name: "Pay price_team_annual" })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`a failed payment leads to the portal, accessible in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await signUp(page);
    await page.goto(`${paid.url}/pricing`);
    await page.getByRole("button", { name: "Upgrade Now" }).click();
    await page.getByRole("button", { name: "Pay" }).click();
    await expect(page.getByText("Welcome to Shelfwise Plus")).toBeVisible();
    await paid.change(paid.only(), { status: "past_due" });
    await openBilling(page);
    await expect(page.getByText("The last payment failed. Check your card to keep Shelfwise Plus.")).toBeVisible();
    await expect(page.getByText("past_due")).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await expectToFit(page, 360);
    await page.getByRole("button", { name: "Manage Billing" }).first().click();
    await expect(page.getByRole("heading", { name: /^Portal of cus_/ })).toBeVisible();
  });
}

test("while a checkout starts the buttons wait, and a provider in trouble gives them back", async ({ page }) => {
  await signUp(page);
  paid.broken = true;
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route("**/api/subscriptions/checkout", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${paid.url}/pricing`);
  await page.getByRole("button", { name: "Upgrade Now" }).click();
  const waiting = page.getByRole("button", { name: "Processing..." });
  await expect(waiting).toHaveCount(2);
  for (const button of await waiting.all()) await expect(button).toBeDisabled();
  goOn();
  await expect(
    page.getByText("The payment provider can't be reached right now. Please try again.").first(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Upgrade Now" })).toBeEnabled();
});
