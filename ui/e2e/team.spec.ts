import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectAccessibleInBoth, expectToFitPhones, refusals } from "./accessible";
import { get, newEmail, PASSWORD, setPlan, signUp } from "./people";

/** A reader in a browser of their own. */
async function another(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Opens the team page of a reader who has just been given a team. */
async function openTeam(page: Page, name: string): Promise<string> {
  const email = await signUp(page, name);
  setPlan(email, "shelfwise_team");
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Team", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: `${name}'s Team` })).toBeVisible();
  return email;
}

/** Invites an address on the team page, and returns the path of its link. */
async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole("button", { name: "Invite member" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Create invitation" }).click();
  const dialog = page.getByRole("dialog", { name: `Invitation for ${email}` });
  const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return new URL(link).pathname;
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';
const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

async function giveRole(page: Page, name: string, role: "Owner" | "Admin" | "Member"): Promise<void> {
  await page.getByRole("button", { name: `Change role of ${name}` }).click();
  const dialog = page.getByRole("dialog", { name: "Change Member Role" });
  await dialog.getByRole("radio", { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole("button", { name: role === "Owner" ? "Transfer ownership" : "Change role" }).click();
  await expect(dialog).toHaveCount(0);
}

test("three people make a team: invited, joined, promoted, handed over, removed", async ({ page, browser }) => {
  test.setTimeout(120_000);
  const refused = refusals(page);
  await openTeam(page, "Nora Lindqvist");
  await page.getByRole("button", { name: "Rename the team" }).click();
  await page.getByRole("textbox", { name: "Team name" }).fill("The Harbour Street Readers");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The Harbour Street Readers" })).toBeVisible();

  // A person without an account signs up through the link and joins.
  const imanis = newEmail("imani");
  const link = await invite(page, imanis);
  await expect(page.getByText("2 / 10 seats used")).toBeVisible();
  const imani = await another(browser);
  await imani.goto(link);
  await expect(imani.getByRole("heading", { level: 1, name: "The Harbour Street Readers" })).toBeVisible();
  await expectAccessible(imani);
  await imani.getByRole("link", { name: "Create an Account" }).click();
  await imani.getByLabel("Display name").fill("Imani Okafor");
  await imani.getByLabel("Email").fill("someone.else@example.org");
  await imani.getByLabel("Password").fill(PASSWORD);
  await imani.getByRole("button", { name: "Create Account and Join" }).click();
  await expect(imani.getByText("This is not the address that was invited.")).toBeVisible();
  await imani.getByLabel("Email").fill(imanis);
  await imani.getByRole("button", { name: "Create Account and Join" }).click();
  await expect(imani).toHaveURL(/\/team$/);
  await expect(imani.getByRole("heading", { level: 1, name: "The Harbour Street Readers" })).toBeVisible();
  await expect(imani.getByRole("columnheader", { name: "Actions" })).toHaveCount(0);

  // A reader with an account logs in through the link, and accepts.
  const aiko = await another(browser);
  const aikos = await signUp(aiko, "Aiko Tanabe");
  await aiko.request.post("/api/auth/logout");
  await aiko.goto(await invite(page, aikos));
  await aiko.getByRole("link", { name: "Log In" }).click();
  await aiko.getByLabel("Email").fill(aikos);
  await aiko.getByLabel("Password").fill(PASSWORD);
  await aiko.getByRole("button", { name: "Log In" }).click();
  await aiko.getByRole("button", { name: "Accept Invitation" }).click();
  await expect(aiko).toHaveURL(/\/team$/);
  await expect(row(aiko, "Aiko Tanabe you")).toBeVisible();
  const plan = await get<{ subscription: { source: string } }>(aiko.request, "/api/subscriptions/current");
  expect(plan.subscription.source).toBe("team");

  // After a promotion, an admin manages members, and no one else.
  await page.reload();
  await giveRole(page, "Imani Okafor", "Admin");
  await expect(row(page, "Imani Okafor").getByText("Admin")).toBeVisible();
  await imani.reload();
  await expect(imani.getByRole("button", { name: "Remove Aiko Tanabe" })).toBeVisible();
  await expect(imani.getByRole("button", { name: /^Change role/ })).toHaveCount(0);
  await expect(imani.getByRole("button", { name: "Remove Nora Lindqvist" })).toHaveCount(0);

  // After the team is handed over, the former owner is an admin.
  await giveRole(page, "Imani Okafor", "Owner");
  await expect(page.getByText("Owned by Imani Okafor")).toBeVisible();
  await expect(row(page, "Nora Lindqvist").getByText("Admin")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Change role/ })).toHaveCount(0);

  // The new owner removes a member, who then has no team and their own plan.
  await imani.reload();
  await imani.getByRole("button", { name: "Remove Aiko Tanabe" }).click();
  await imani.getByRole("button", { name: "Remove member" }).click();
  await expect(row(imani, "Aiko Tanabe")).toHaveCount(0);
  await aiko.reload();
  await expect(aiko.getByRole("heading", { name: "You're not part of any team" })).toBeVisible();
  await expect(aiko.getByRole("link", { name: "Team", exact: true })).toHaveCount(0);

  // The former owner leaves.
  await page.getByRole("button", { name: "Leave team" }).click();
  await page.getByRole("button", { name: "Leave Team" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("link", { name: "Team", exact: true })).toHaveCount(0);
  expect(refused).toEqual([]);
});

test("an invitation is for one address, once, and can be taken back, renewed and declined", async ({
  page,
  browser,
}) => {
  test.slow();
  await openTeam(page, "Priya Raman");
  const rosa = await another(browser);
  const rosas = await signUp(rosa, "Rosa Ibarra");
  const stranger = await another(browser);
  await signUp(stranger, "Daniel Brandt");

  const first = await invite(page, rosas);
  await stranger.goto(first);
  await expect(stranger.getByRole("button", { name: /Accept Invitation|Log Out and Switch/ })).toBeVisible();
  const accept = stranger.getByRole("button", { name: "Accept Invitation" });
  if (await accept.isVisible()) await accept.click();
  await expect(stranger.getByRole("alert")).toContainText(/^This invitation is for r…/);
  await expectAccessible(stranger);
  await stranger.getByRole("button", { name: "Log Out and Switch" }).click();
  await expect(stranger).toHaveURL(/\/login\?next=%2Finvite%2F/);

  await page.reload();
  await page.getByRole("button", { name: `New link for ${rosas}` }).click();
  const renewed = new URL(await page.getByLabel("Link", { exact: true }).inputValue()).pathname;
  await page.getByRole("button", { name: "Done" }).click();
  await rosa.goto(first);
  await expect(rosa.getByText("This link is not an invitation, or a part of it is missing.")).toBeVisible();
  await rosa.goto(renewed);
  await rosa.getByRole("button", { name: "Decline" }).click();
  await expect(rosa).toHaveURL(/\/dashboard$/);
  await rosa.goto(renewed);
  await expect(rosa.getByText("Ask Priya Raman for a new one.")).toBeVisible();
  await expectAccessible(rosa);

  await page.reload();
  await expect(page.getByText("1 / 10 seats used")).toBeVisible();
  const third = await invite(page, rosas);
  await page.getByRole("button", { name: `Take back the invitation to ${rosas}` }).click();
  await expect(page.getByRole("heading", { name: "Invitations" })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 2, name: "Members" })).toBeFocused();
  await rosa.goto(third);
  await expect(rosa.getByText("Ask Priya Raman for a new one.")).toBeVisible();
});

test("seats are added, filled and refused below what is taken", async ({ page }) => {
  await openTeam(page, "Sam Whitlock");
  for (let i = 0; i < 9; i += 1) {
    const answer = await page.request.post("/api/teams/invite", { data: { email: newEmail("guest") } });
    expect(answer.status()).toBe(201);
  }
  await page.reload();
  await expect(page.getByText("No seats available")).toBeVisible();
  await expect(page.getByText("Upgrade your plan to add more team members")).toBeVisible();
  await page.getByRole("button", { name: "Invite member" }).click();
  await expect(page.getByText("No seats are available.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create invitation" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "One seat fewer" })).toBeDisabled();
  await expectAccessibleInBoth(page);
  await page.getByRole("button", { name: "One seat more" }).click();
  await page.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText("Only 1 seat remaining")).toBeVisible();
  await expect(page.getByText("Base: 10 seats + 1 addon seats. 9 seats are held by invitations")).toBeVisible();
  await page.getByRole("button", { name: "Invite member" }).click();
  await expect(page.getByText("1 seat is available")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expectToFitPhones(page);
});

test("a team that is no longer paid stays, says so, and invites no one", async ({ page }) => {
  const email = await openTeam(page, "Yusuf Demir");
  setPlan(email, "reader");
  await page.reload();
  await expect(page.getByText(/^The subscription has ended/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Invite member" })).toBeDisabled();
  await expectAccessibleInBoth(page);
  await page.getByRole("link", { name: "Renew" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
});

test("the whole of it goes by keyboard alone", async ({ page, browser }) => {
  await openTeam(page, "Lucía Ferrer");
  const mei = await another(browser);
  const meis = await signUp(mei, "Mei Lin");
  const button = (name: string) => page.getByRole("button", { name });

  // Tab reaches each control; Enter opens, sends and closes, and the focus returns.
  const tabTo = async (name: string) => {
    for (let i = 0; i < 40; i += 1) {
      if (await button(name).evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab does not lead to ${name}`);
  };
  await tabTo("Invite member");
  await page.keyboard.press("Enter");
  await page.keyboard.type(meis);
  await expect(button("Create invitation")).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: `Invitation for ${meis}` })).toBeVisible();
  const link = new URL(await page.getByLabel("Link", { exact: true }).inputValue()).pathname;
  await page.keyboard.press("Escape");
  await expect(button("Invite member")).toBeFocused();

  await mei.goto(link);
  await expect(mei.getByRole("button", { name: "Accept Invitation" })).toBeVisible();
  await mei.getByRole("button", { name: "Accept Invitation" }).focus();
  await mei.keyboard.press("Enter");
  await expect(mei).toHaveURL(/\/team$/);

  await page.reload();
  await expect(button("Change role of Mei Lin")).toBeVisible();
  await tabTo("Change role of Mei Lin");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("radio", { name: /^Member/ })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(row(page, "Mei Lin").getByText("Admin")).toBeVisible();
  await expect(button("Change role of Mei Lin")).toBeFocused();

  await tabTo("Remove Mei Lin");
  await page.keyboard.press("Enter");
  await expect(button("Keep member")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(row(page, "Mei Lin")).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 2, name: "Members" })).toBeFocused();
});

for (const width of [1280, 390] as const) {
  test(`every dialog of the team's page is accessible, ${width} wide`, async ({ page, browser }) => {
    await page.setViewportSize({ width, height: 860 });
    await openTeam(page, "Tomasz Zieliński");
    const guest = await another(browser);
    const email = await signUp(guest, "Greta Holm");
    await guest.goto(await invite(page, email));
    await guest.getByRole("button", { name: "Accept Invitation" }).click();
    await expect(guest).toHaveURL(/\/team$/);
    await page.reload();
    await expect(page.getByText("Greta Holm")).toBeVisible();
    const act = async (wide: string, item: string) => {
      if (width > 900) return page.getByRole("button", { name: wide }).click();
      await page.getByRole("button", { name: "Actions for Greta Holm" }).click();
      return page.getByRole("menuitem", { name: item }).click();
    };
    for (const open of [
      () => page.getByRole("button", { name: "Rename the team" }).click(),
      () => page.getByRole("button", { name: "Invite member" }).click(),
      () => act("Change role of Greta Holm", "Change role"),
      () => act("Remove Greta Holm", "Remove"),
    ]) {
      await open();
      await expect(page.locator(DIALOG)).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(page.locator(DIALOG)).toHaveCount(0);
    }
    await expectToFitPhones(page);
  });
}
