import { expect, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";

for (const colorScheme of ["light", "dark"] as const) {
  test(`the plans are accessible in ${colorScheme}, with annual prices first`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/pricing");
    await expect(page.getByText("$25")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Monthly" }).click();
    await expect(page.getByText("$2.99")).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectToFit(page, 360);
  });
}

test("without payments the page names the person to ask, and a reader can buy nothing", async ({ page }) => {
  const data = {
    displayName: "Nora",
    email: `pricing-${Date.now()}@example.org`,
    password: "a shelf of one's own",
  };
  await page.request.post("/api/auth/signup", { data });
  await page.goto("/pricing");
  await expect(page.getByText("This server takes no payments")).toBeVisible();
  await expect(page.getByRole("button", { name: "Current Plan" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Upgrade Now" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Start a team" })).toBeDisabled();
  await expectAccessible(page);
});

test("a visitor is led from a plan to the sign up", async ({ page }) => {
  await page.goto("/pricing");
  await page.getByRole("link", { name: "Upgrade Now" }).click();
  await expect(page).toHaveURL(/\/signup$/);
});
