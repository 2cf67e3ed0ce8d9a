import { generateKeyPairSync } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { OAuth2Server } from "oauth2-mock-server";
import { expectAccessibleInBoth, expectToFitPhones, refusals } from "./accessible";
import { PASSWORD, TIME_ZONE } from "./people";
import { agree } from "./provider-pages";
import { CLIENT, certified, plain, type Running, SECRET } from "./providers";
import { OwnServer } from "./server";

test.describe.configure({ mode: "default" });

const running: Running[] = [];
const odd = new OAuth2Server();
let server: OwnServer;

/** Apple's key, in the form that Apple gives out. */
const apple = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

test.beforeAll(async () => {
  server = await OwnServer.at();
  const back = (name: string) => `${server.url}/api/auth/oauth/${name}/callback`;
  const strict = await certified({ redirectUris: ["authelia", "google"].map(back), inToken: false });
  const usual = await certified({ redirectUris: ["keycloak", "microsoft"].map(back), inToken: true });
  const posting = await certified({ redirectUris: [back("apple")], inToken: true, publicKey: apple.publicKey });
  const oauth = await plain();
  running.push(strict, usual, posting, oauth);
  await odd.issuer.keys.generate("RS256");
  await odd.start(0, "localhost");
  const client = `client_id = "${CLIENT}"\nclient_secret = "${SECRET}"`;
  const section = (name: string, issuer: string, more = client) => `[social.${name}]\nissuer = "${issuer}"\n${more}\n`;
  await server.start(
    [
      `public_url = "${server.url}"`,
      section("authelia", strict.url, `name = "Authelia"\n${client}`),
      section("google", strict.url),
      section("keycloak", usual.url, `name = "Keycloak"\n${client}`),
      section("microsoft", usual.url),
      section("github", oauth.url),
      section("facebook", oauth.url),
      section("odd", odd.issuer.url ?? "", `name = "Oddity"\n${client}`),
      section(
        "apple",
        posting.url,
        `client_id = "${CLIENT}"\nteam_id = "TEAM"\nkey_id = "KEY"\nprivate_key = """\n${apple.privateKey}"""`,
      ),
    ].join("\n"),
  );
});

test.afterAll(async () => {
  await server?.stop();
  await Promise.all([odd.stop(), ...running.map(({ stop }) => stop())]);
});

/** Presses a button of the login page. */
async function continueWith(page: Page, name: string): Promise<void> {
  await page.goto(`${server.url}/login`);
  await page.getByRole("link", { name: `Continue with ${name}` }).click();
}

async function me(page: Page): Promise<{ displayName: string; email: string } | null> {
  const answer = await page.request.get(`${server.url}/api/auth/me`);
  return answer.ok() ? (await answer.json()).user : null;
}

for (const [name, login, displayName] of [
  ["Authelia", "ada", "Ada of Elsewhere"],
  ["Google", "gina", "Gina of Elsewhere"],
  ["Keycloak", "kim", "Kim of Elsewhere"],
  ["Microsoft", "mia", "Mia of Elsewhere"],
  // Apple's token contains no name.
  ["Apple", "april", "april"],
] as const) {
  test(`someone new signs in with ${name}, and later again`, async ({ page, browser }) => {
    const refused = refusals(page);
    await continueWith(page, name);
    await agree(page, login);
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    expect(await me(page)).toMatchObject({ email: `${login}@example.org`, displayName });
    expect(refused).toEqual([]);

    const again = await (await browser.newContext()).newPage();
    await continueWith(again, name);
    await agree(again, login);
    await expect(again).toHaveURL(`${server.url}/dashboard`);
    expect(await me(again)).toEqual(await me(page));
    // The browser keeps nothing of the sign-in.
    const cookies = (await again.context().cookies(server.url)).map((cookie) => cookie.name);
    expect(cookies.filter((cookie) => cookie.includes("oauth"))).toEqual([]);
  });
}

for (const [name, who] of [
  ["GitHub", { displayName: "octavia", email: "octavia@example.org" }],
  ["Facebook", { displayName: "Fay Book", email: "fay@example.org" }],
] as const) {
  test(`someone new signs in with ${name}, in the time zone of their browser`, async ({ page }) => {
    await continueWith(page, name);
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    expect(await me(page)).toMatchObject(who);
    const answer = await page.request.get(`${server.url}/api/preferences`);
    expect((await answer.json()).preferences.timezone).toBe(TIME_ZONE);
  });
}

test("the buttons stand below both forms, accessible and on phones", async ({ page }) => {
  for (const [path, verb] of [
    ["/login", "Continue"],
    ["/signup", "Sign up"],
  ]) {
    await page.goto(server.url + path);
    await expect(page.getByRole("link", { name: new RegExp(`^${verb} with`) })).toHaveText(
      ["Google", "GitHub", "Facebook", "Apple", "Microsoft", "Authelia", "Keycloak", "Oddity"].map(
        (name) => `${verb} with ${name}`,
      ),
    );
    await expectAccessibleInBoth(page);
    await expectToFitPhones(page);
  }
});

test("a person who declines at the provider sees a message, and can log in another way", async ({ page }) => {
  await continueWith(page, "Authelia");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/login\?error=cancelled&provider=authelia$/);
  await expect(page.getByRole("alert")).toHaveText("Logging in with Authelia was canceled.");
  await expectAccessibleInBoth(page);
});

test("an address that is someone's is not joined: they connect it themselves, and can part with it again", async ({
  page,
  browser,
}) => {
  const data = { email: "nora@example.org", password: PASSWORD, displayName: "Nora Lindqvist" };
  expect((await page.request.post(`${server.url}/api/auth/signup`, { data })).status()).toBe(201);
  const elsewhere = await (await browser.newContext()).newPage();
  await continueWith(elsewhere, "Keycloak");
  await agree(elsewhere, "nora");
  await expect(elsewhere.getByRole("alert")).toHaveText(
    "An account with this email address exists. Log in with your password, then connect Keycloak under Account.",
  );
  expect(await me(elsewhere)).toBeNull();

  await page.goto(`${server.url}/account`);
  await page.getByRole("link", { name: "Connect Keycloak" }).click();
  await agree(page, "nora");
  await expect(page).toHaveURL(`${server.url}/account`);
  await expect(page.getByText(/^nora@example\.org, connected/)).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  await continueWith(elsewhere, "Keycloak");
  await expect(elsewhere).toHaveURL(`${server.url}/dashboard`);
  expect(await me(elsewhere)).toMatchObject({ displayName: "Nora Lindqvist" });

  await page.getByRole("button", { name: "Disconnect Keycloak" }).click();
  await expect(page.getByText("Keycloak disconnected").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Connect Keycloak" })).toBeVisible();
});

test("an account without a password sets one before its only provider can be disconnected", async ({ page }) => {
  await continueWith(page, "Authelia");
  await agree(page, "paula");
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  await page.goto(`${server.url}/account`);
  await expect(page.getByText(/It is your only way in/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Disconnect Authelia" })).toBeDisabled();
  await page.getByRole("button", { name: "Set a password" }).click();
  await expect(page.getByLabel("Current password")).toHaveCount(0);
  await expectAccessibleInBoth(page);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set Password" }).click();
  await expect(page.getByText("Password set").first()).toBeVisible();
  await page.getByRole("button", { name: "Disconnect Authelia" }).click();
  await expect(page.getByText("Authelia disconnected").first()).toBeVisible();
  const login = { email: "paula@example.org", password: PASSWORD };
  expect((await page.request.post(`${server.url}/api/auth/login`, { data: login })).status()).toBe(200);
});

test("an identity of someone else's can't be connected a second time", async ({ page, browser }) => {
  const owner = await (await browser.newContext()).newPage();
  await continueWith(owner, "Keycloak");
  await agree(owner, "olga");
  await expect(owner).toHaveURL(`${server.url}/dashboard`);
  const data = { email: "petra@example.org", password: PASSWORD, displayName: "Petra" };
  await page.request.post(`${server.url}/api/auth/signup`, { data });
  await page.goto(`${server.url}/account`);
  await page.getByRole("link", { name: "Connect Keycloak" }).click();
  await agree(page, "olga");
  await expect(page).toHaveURL(/\/account\?error=linked_elsewhere&provider=keycloak$/);
  await expect(page.getByRole("alert")).toHaveText(
    "This Keycloak account is connected to someone else’s account here.",
  );
  await expectAccessibleInBoth(page);
});

test("another site's page can't begin to connect", async ({ page }) => {
  const data = { email: "quinn@example.org", password: PASSWORD, displayName: "Quinn" };
  await page.request.post(`${server.url}/api/auth/signup`, { data });
  await page.route("http://evil.test/", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<a href="${server.url}/api/auth/oauth/github">Win a book</a>`,
    }),
  );
  await page.goto("http://evil.test/");
  await page.getByRole("link", { name: "Win a book" }).click();
  await expect(page).toHaveURL(/\/account\?error=started_elsewhere&provider=github$/);
  const identities = await page.request.get(`${server.url}/api/account/identities`);
  expect((await identities.json()).data).toEqual([]);
});

test("an unconfirmed address opens no account", async ({ page }) => {
  await continueWith(page, "Authelia");
  await agree(page, "rosa-unconfirmed");
  await expect(page.getByRole("alert")).toContainText("has not confirmed your email address");
  expect(await me(page)).toBeNull();
});

interface Token {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
}

const now = () => Math.floor(Date.now() / 1000);
const CONFIRMED = { sub: "odd-1", email: "odd@example.org", email_verified: true, name: "Odd One" };

/** Answers of a provider that must not let anyone in. */
const ODDITIES: readonly [string, (token: Token) => void][] = [
  ["another nonce", ({ payload }) => Object.assign(payload, { nonce: "another" })],
  ["no nonce", ({ payload }) => Object.assign(payload, { nonce: undefined })],
  ["another issuer", ({ payload }) => Object.assign(payload, { iss: "https://accounts.google.com" })],
  ["another audience", ({ payload }) => Object.assign(payload, { aud: "another" })],
  ["several audiences", ({ payload }) => Object.assign(payload, { aud: [CLIENT, "another"] })],
  ["another party", ({ payload }) => Object.assign(payload, { azp: "another" })],
  ["a token that has expired", ({ payload }) => Object.assign(payload, { exp: now() - 120 })],
  ["a token that is not valid yet", ({ payload }) => Object.assign(payload, { nbf: now() + 600 })],
  ["a token of the future", ({ payload }) => Object.assign(payload, { iat: now() + 600 })],
  ["no subject", ({ payload }) => Object.assign(payload, { sub: undefined })],
  ["an empty subject", ({ payload }) => Object.assign(payload, { sub: "" })],
  ["an unknown key", ({ header }) => Object.assign(header, { kid: "unknown" })],
];

for (const [what, change] of ODDITIES) {
  test(`a provider that gives ${what} lets no one in`, async ({ page }) => {
    odd.service.once("beforeTokenSigning", (token: Token) => {
      Object.assign(token.payload, CONFIRMED);
    });
    // The provider signs two tokens; the second is the identity token.
    odd.service.once("beforeTokenSigning", () =>
      odd.service.once("beforeTokenSigning", (token: Token) => {
        Object.assign(token.payload, CONFIRMED);
        change(token);
      }),
    );
    await continueWith(page, "Oddity");
    await expect(page).toHaveURL(/\/login\?error=refused&provider=odd$/);
    await expect(page.getByRole("alert")).toContainText("The answer from Oddity could not be confirmed");
    expect(await me(page)).toBeNull();
  });
}

test("the same provider lets the same person in when it speaks true", async ({ page }) => {
  const say = (token: Token) => void Object.assign(token.payload, CONFIRMED);
  odd.service.on("beforeTokenSigning", say);
  await continueWith(page, "Oddity");
  await expect(page).toHaveURL(`${server.url}/dashboard`);
  expect(await me(page)).toMatchObject({ displayName: "Odd One", email: "odd@example.org" });
  odd.service.off("beforeTokenSigning", say);
});

test("text in the address is never shown, and leads nowhere else", async ({ page }) => {
  for (const query of [
    "error=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
    "error=Your%20account%20was%20stolen.%20Call%20this%20number.&provider=Evil",
    "error=constructor",
    "error=email_taken&provider=Your%20bank",
  ]) {
    await page.goto(`${server.url}/login?${query}`);
    const alert = page.getByRole("alert");
    await expect(alert).toBeVisible();
    await expect(alert).not.toContainText(/stolen|bank|Evil|img|function/);
  }
  for (const next of [
    "https://evil.test/",
    "//evil.test/",
    "/\\evil.test",
    "/invite//evil.test",
    "javascript:alert(1)",
  ]) {
    await page.context().clearCookies();
    await page.goto(`${server.url}/login?next=${encodeURIComponent(next)}`);
    await page.getByRole("link", { name: "Continue with GitHub" }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
  }
});
