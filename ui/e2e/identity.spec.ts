import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectToFitPhones, refusals } from "./accessible";
import { PASSWORD } from "./people";
import { agree } from "./provider-pages";
import { CLIENT, certified, type Running, SECRET } from "./providers";
import { OwnServer } from "./server";

/** The operator's own identity provider decides: with a certified provider, in each of its settings. */

test.describe.configure({ mode: "default" });
// Pages come from the server, so that the headers of a proxy go with each request.
test.use({ serviceWorkers: "block" });

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  ada: ["family", "admins"],
  nora: ["family"],
  // Names that contain those of the settings.
  stranger: ["family-friends", "no-admins", "Family"],
};

let server: OwnServer;
let provider: Running;

/** Starts a provider, and a server with these settings that knows it as `home`. */
async function house(inToken: boolean, top: string, section: string): Promise<void> {
  server = await OwnServer.at();
  provider = await certified({
    redirectUris: [`${server.url}/api/auth/oauth/home/callback`],
    inToken,
    groups: (login) => GROUPS[login] ?? [],
    afterwards: [`${server.url}/login?stay=true`],
  });
  await server.start(`
public_url = "${server.url}"
${top}
[social.home]
issuer = "${provider.url}"
name = "Home"
client_id = "${CLIENT}"
client_secret = "${SECRET}"
${section}
`);
}

test.afterEach(async () => {
  await server?.stop();
  await provider?.stop();
});

async function me(page: Page): Promise<{ id: number; displayName: string; role: string } | null> {
  const answer = await page.request.get(`${server.url}/api/auth/me`);
  return answer.ok() ? (await answer.json()).user : null;
}

async function newPage(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
}

const FAMILY = `
instance = "private"
name = "The Okafor shelf"
signup = "closed"
password_login = false
login_redirect = "home"
`;
const RULES = `signup = true\nallowed_groups = ["family"]\noperator_groups = ["admins"]`;

for (const inToken of [true, false]) {
  test(`a family signs in at its own provider alone (groups in the token: ${inToken})`, async ({ page, browser }) => {
    await house(inToken, FAMILY, RULES);
    const refused = refusals(page);
    // Someone who opens any page is at the provider at once.
    await page.goto(`${server.url}/dashboard`);
    await expect(page).toHaveURL(new RegExp(`^${provider.url}/`));
    await agree(page, "ada");
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    expect(await me(page)).toMatchObject({ displayName: "Ada of Elsewhere", role: "admin" });
    await page.goto(`${server.url}/admin`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(refused).toEqual([]);

    await page.goto(`${server.url}/account`);
    await expect(page.getByText(/It is your only way in: connect another account/)).toBeVisible();
    await expect(page.getByRole("button", { name: /password/ })).toHaveCount(0);
    await expectAccessibleInBoth(page);
    await expectToFitPhones(page);

    const reader = await newPage(browser);
    await reader.goto(server.url);
    await agree(reader, "nora");
    await expect(reader).toHaveURL(`${server.url}/dashboard`);
    expect(await me(reader)).toMatchObject({ role: "user" });

    const stranger = await newPage(browser);
    await stranger.goto(`${server.url}/login`);
    await agree(stranger, "stranger");
    await expect(stranger).toHaveURL(/\/login\?error=not_allowed&provider=home$/);
    await expect(stranger.getByRole("alert")).toHaveText(
      "Your Home account is not in a group that may use this server. Ask the person who runs it.",
    );
    await expect(stranger.getByLabel("Password")).toHaveCount(0);
    expect(await me(stranger)).toBeNull();
    await expectAccessibleInBoth(stranger);
    await expectToFitPhones(stranger);
  });
}

test("an operator who opens the Admin page is led back to it from the provider", async ({ page }) => {
  await house(true, FAMILY, RULES);
  // The page moves on by itself, possibly before it has loaded.
  await page.goto(`${server.url}/admin?tab=server`, { waitUntil: "commit" });
  await expect(page).toHaveURL(new RegExp(`^${provider.url}/`));
  await agree(page, "ada");
  await expect(page).toHaveURL(`${server.url}/admin?tab=server`);
  await expect(page.getByRole("heading", { name: "The server" })).toBeVisible();
});

test("a log-out ends the session at the provider as well, and makes no loop", async ({ page }) => {
  await house(true, FAMILY, RULES);
  await page.goto(server.url);
  await agree(page, "nora");
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await logOut(page);
  await expect(page).toHaveURL(new RegExp(`^${provider.url}/session/end`));
  expect(await me(page)).toBeNull();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(page).toHaveURL(`${server.url}/login?stay=true`);
  await expect(page.getByRole("link", { name: "Continue with Home" })).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  // The provider asks again.
  await page.getByRole("link", { name: "Continue with Home" }).click();
  await expect(page.locator("input[name=login]")).toBeVisible();
  // The Back button shows the page, and does not lead to the provider again.
  await page.goBack();
  await expect(page.getByRole("link", { name: "Continue with Home" })).toBeVisible();
});

test("a role and the access end with the group, at the next sign-in", async ({ page, browser }) => {
  const groups = GROUPS as Record<string, readonly string[]>;
  groups.rosa = ["family", "admins"];
  await house(true, FAMILY, RULES);
  const ada = await newPage(browser);
  await ada.goto(server.url);
  await agree(ada, "ada");
  await expect(ada).toHaveURL(`${server.url}/dashboard`);
  await page.goto(server.url);
  await agree(page, "rosa");
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  expect(await me(page)).toMatchObject({ role: "admin" });

  groups.rosa = ["family"];
  const again = await newPage(browser);
  await again.goto(server.url);
  await agree(again, "rosa");
  await expect(again).toHaveURL(`${server.url}/dashboard`);
  expect(await me(again)).toMatchObject({ role: "user" });
  expect(await me(page)).toBeNull();

  groups.rosa = [];
  const refused = await newPage(browser);
  await refused.goto(server.url);
  await agree(refused, "rosa");
  await expect(refused.getByRole("alert")).toContainText("not in a group");
});

test("passwords stay beside a provider that makes no accounts, until the account is connected", async ({ page }) => {
  await house(true, `signup = "open"`, `signup = false`);
  await page.goto(`${server.url}/signup`);
  await expect(page.getByLabel("Password")).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign up with Home" })).toHaveCount(0);
  await page.goto(`${server.url}/login`);
  await page.getByRole("link", { name: "Continue with Home" }).click();
  await agree(page, "nora");
  await expect(page.getByRole("alert")).toContainText("No account here is connected to this Home account");

  const data = { email: "nora@example.org", password: PASSWORD, displayName: "Nora" };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data })).status()).toBe(201);
  await page.goto(`${server.url}/account`);
  await page.getByRole("link", { name: "Connect Home" }).click();
  await expect(page).toHaveURL(`${server.url}/account`);
  await expect(page.getByText(/^nora@example\.org, connected/)).toBeVisible();
});

test("an address opens the account that has proven it, and no other", async ({ page, browser }) => {
  await house(true, "", "match_email = true");
  const unproven = { email: "nora@example.org", password: PASSWORD, displayName: "Not Nora" };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data: unproven })).status()).toBe(201);
  const nora = await newPage(browser);
  await nora.goto(`${server.url}/login`);
  await nora.getByRole("link", { name: "Continue with Home" }).click();
  await agree(nora, "nora");
  await expect(nora.getByRole("alert")).toContainText("An account with this email address exists.");
  expect(await me(nora)).toBeNull();

  const rosa = await newPage(browser);
  await rosa.goto(`${server.url}/login`);
  await rosa.getByRole("link", { name: "Continue with Home" }).click();
  await agree(rosa, "rosa-unconfirmed");
  await expect(rosa.getByRole("alert")).toContainText("has not confirmed your email address");
  expect(await me(rosa)).toBeNull();

  // An account that the provider has proven, and that is not connected any more.
  const kim = await newPage(browser);
  await kim.goto(`${server.url}/login`);
  await kim.getByRole("link", { name: "Continue with Home" }).click();
  await agree(kim, "kim");
  await expect(kim).toHaveURL(`${server.url}/dashboard`);
  const id = (await me(kim))?.id;
  const password = await kim.request.post(`${server.url}/api/account/password`, { data: { newPassword: PASSWORD } });
  expect(password.status()).toBe(204);
  expect((await kim.request.delete(`${server.url}/api/account/identities/home`)).status()).toBe(204);
  const again = await newPage(browser);
  await again.goto(`${server.url}/login`);
  await again.getByRole("link", { name: "Continue with Home" }).click();
  await agree(again, "kim");
  await expect(again).toHaveURL(`${server.url}/dashboard`);
  expect((await me(again))?.id).toBe(id);
});

test("a proxy signs in the person that it names, for as long as it names them", async ({ browser }) => {
  server = await OwnServer.at();
  provider = await certified({ redirectUris: [], inToken: true });
  await server.start(`
public_url = "${server.url}"
trusted_proxies = ["127.0.0.1"]
signup = "closed"
password_login = false

[trusted_header]
user = "Remote-User"
email = "Remote-Email"
name = "Remote-Name"
signup = true
`);
  const headers = { "Remote-User": "nora", "Remote-Email": "nora@example.org", "Remote-Name": "Nora Lindqvist" };
  const context = await browser.newContext({ serviceWorkers: "block", extraHTTPHeaders: headers });
  const page = await context.newPage();
  const refused = refusals(page);
  await page.goto(`${server.url}/login`);
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await page.goto(`${server.url}/account?tab=logout`);
  await expect(page.getByText(/If a proxy signs you in, log out there too/)).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  expect(refused).toEqual([]);

  // Another person at the same browser, and no one.
  await context.setExtraHTTPHeaders({ "Remote-User": "rosa", "Remote-Email": "rosa@example.org" });
  await page.goto(`${server.url}/account`);
  await expect(page.getByText("rosa@example.org").first()).toBeVisible();
  await context.setExtraHTTPHeaders({});
  await page.goto(`${server.url}/account`);
  await expect(page).toHaveURL(`${server.url}/login`);

  // A person without an address gets no account, and reads why.
  await context.setExtraHTTPHeaders({ "Remote-User": "ida" });
  await page.goto(`${server.url}/login`);
  await expect(page.getByRole("alert")).toContainText("A new account needs your email address");
  await expectAccessibleInBoth(page);
});
