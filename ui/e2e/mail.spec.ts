import { expect, test } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { type Mailing, startMailing } from "./mailing";
import { newEmail, PASSWORD } from "./people";

const { BINARY } = process.env;
let mailing: Mailing;

test.skip(!BINARY, "BINARY names the program");
test.beforeAll(async () => {
  mailing = await startMailing(BINARY ?? "");
});
test.afterAll(() => mailing?.stop());

test("a reader who forgot the password gets a link by e-mail, sets a new one, and gets a notice", async ({ page }) => {
  const email = newEmail("forgetful");
  const account = { email, password: PASSWORD, displayName: "Nora Lindqvist" };
  expect((await page.request.post(`${mailing.baseURL}/api/auth/signup`, { data: account })).status()).toBe(201);
  await page.context().clearCookies();

  await page.goto(`${mailing.baseURL}/login`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByLabel("Email").fill(email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send Link" }).click();
  await expect(page.getByText(/If this address has an account, a link is on its way/)).toBeVisible();

  const letter = await mailing.letter();
  expect(letter).toContain(`To: ${email}`);
  const [link] = letter.match(/http:\S+\/reset-password\/[\w-]{43}/) ?? [""];
  expect(link).toMatch(new RegExp(`^${mailing.baseURL}/`));

  await page.goto(link);
  await page.getByRole("textbox", { name: "New password" }).fill("another shelf of one's own");
  await page.getByRole("button", { name: "Set Password" }).click();
  await expect(page).toHaveURL(/\/login\?reset=done$/);
  expect(await mailing.letter()).toContain("Subject: Your Shelfwise password was changed");

  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("another shelf of one's own");
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});
