import { expect, test } from "@playwright/test";
import { expectAccessible, expectToFit } from "./accessible";
import { signUp } from "./people";

for (const colorScheme of ["light", "dark"] as const) {
  test(`a token is made, used by a script and revoked, accessible in ${colorScheme}`, async ({
    page,
    playwright,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await signUp(page);
    await page.goto("/account?tab=connections");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Year in review");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create token" }).click();
    const secret = await page.getByLabel("Token", { exact: true }).inputValue();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("Read only. Never used")).toBeVisible();
    await expectToFit(page, 360);

    const extraHTTPHeaders = { Authorization: `Bearer ${secret}` };
    const script = await playwright.request.newContext({ baseURL, extraHTTPHeaders });
    expect((await script.get("/api/books")).status()).toBe(200);
    const book = { title: "Emma", author: "Jane Austen", status: "undated" };
    const refused = await script.post("/api/books", { data: book });
    expect([refused.status(), (await refused.json()).code]).toEqual([403, "read_only_token"]);
    await page.reload();
    await expect(page.getByText("Read only. Last used today")).toBeVisible();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole("button", { name: "Revoke the token Year in review" }).click();
    await expect(page.getByText("Token revoked").first()).toBeVisible();
    await expect(page.getByText("Year in review")).toHaveCount(0);
    expect((await script.get("/api/books")).status()).toBe(401);
    await script.dispose();
  });
}
