import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectAccessibleInBoth, expectToFitPhones } from "./accessible";
import { withPath } from "./below";
import { PASSWORD } from "./people";
import { OwnServer } from "./server";

// Pages come from the server as it is now, not from a copy of the time when it was public.
test.use({ serviceWorkers: "block" });

let server: OwnServer;

test.beforeEach(async () => {
  server = await OwnServer.at();
});

test.afterEach(() => server.stop());

const SETTINGS = `
instance = "private"
name = "The Okafor shelf"
signup = "invite"

[legal]
operator = "Chidi Okafor"
`;

/** Makes an account on the command line, as the person who runs the server does. */
function makeAccount(email: string, name: string, ...flags: string[]): void {
  const { BINARY } = process.env;
  if (!BINARY) throw new Error("BINARY names the program");
  const args = ["user", "create", email, "--name", name, ...flags, "--data-dir", join(server.folder, "data")];
  execFileSync(BINARY, args, { stdio: "pipe", input: `${PASSWORD}\n` });
}

/** Logs in with the form of the page that is open. */
async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL(`${server.url}/dashboard`);
}

async function addBook(page: Page, title: string, dateCompleted: string): Promise<void> {
  const data = {
    title,
    author: "Dorothy L. Sayers",
    wordCount: 181_300,
    status: "completed",
    dateCompleted,
    rating: 9,
    format: "Print",
    genres: ["Crime"],
  };
  expect((await page.request.post(`${server.url}/api/books`, { data })).status()).toBe(201);
}

/** No word of the page that is open is about plans or prices, and no link leads there. */
async function expectNoPlans(page: Page): Promise<void> {
  expect(await page.locator("body").innerText()).not.toMatch(/upgrade|billing|pricing|premium|\$/i);
  await expect(page.locator('a[href="/pricing"]')).toHaveCount(0);
}

/** Opens each address, waits until it shows a text, and finds nothing about plans. */
async function walk(page: Page, pages: readonly (readonly [path: string, shows: string | RegExp])[]): Promise<void> {
  for (const [path, shows] of pages) {
    await page.goto(server.url + path);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expectNoPlans(page);
  }
}

test("where no one can sign up, the pages of a public server lead to the log-in page", async ({ page }) => {
  await server.start(`signup = "closed"`);
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  expect(await (await page.request.get(server.url)).text()).not.toContain('href="/signup"');
  await page.goto(server.url);
  await expect(page.getByRole("main").getByRole("link", { name: "Log in" })).toHaveCount(2);
  await expect(page.locator('a[href="/signup"]')).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Log in" }).first().click();
  await expect(page.getByRole("button", { name: "Log In" })).toBeVisible();
  await expect(page.locator('a[href="/signup"]')).toHaveCount(0);
  await page.goto(`${server.url}/signup`);
  await expect(page.getByText("Signup is closed on this server.")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Log in" })).toHaveAttribute(
    "href",
    withPath("/login"),
  );
  expect(complaints).toEqual([]);
});

test("a visitor of a private server finds its log-in page, and nothing about plans", async ({ page }) => {
  await server.start(SETTINGS);
  const first = await page.request.get(server.url);
  expect(await first.text()).not.toContain('href="/pricing"');

  await page.goto(server.url);
  await expect(page.getByRole("heading", { level: 1, name: "The Okafor shelf" })).toBeVisible();
  await expect(page).toHaveTitle("Log in | The Okafor shelf");
  await expect(page.getByText("New readers come by invitation.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Create an account" })).toHaveCount(0);
  await expectNoPlans(page);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  await walk(page, [
    ["/login", "The Okafor shelf"],
    ["/signup", "New readers come to this server by invitation."],
    ["/forgot-password", "Forgot your password?"],
    ["/privacy", "Information We Collect"],
    ["/terms", "Service Description"],
    ["/nowhere", "404 Page Not Found"],
  ]);
  await expect(page.getByRole("link", { name: "Sign up" })).toHaveCount(0);
  expect((await page.goto(`${server.url}/pricing`))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "404 Page Not Found" })).toBeVisible();
  await expectNoPlans(page);
});

test("a reader of a private server has every feature, starts a team, and reads nothing about plans", async ({
  page,
}) => {
  await server.start(SETTINGS);
  makeAccount("rosa@okafor.example", "Rosa Ibarra");
  await page.goto(server.url);
  await logIn(page, "rosa@okafor.example");
  await expectNoPlans(page);

  await addBook(page, "Gaudy Night", "2009-03-01");
  await addBook(page, "Strong Poison", "2025-11-02");
  await page.goto(`${server.url}/dashboard`);
  // A plan with a limited history would hide the older book, and lock two of the charts.
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();
  await expect(page.getByText("Top Authors by Words").first()).toBeVisible();
  await expect(page.getByText("Words by Format").first()).toBeVisible();
  await expectNoPlans(page);
  await expect(page).toHaveTitle(/ \| The Okafor shelf$/);

  await walk(page, [
    ["/add-book", "Reading Status"],
    ["/tbr", "TBR"],
    ["/import", "Import"],
    ["/account", "kept by Chidi Okafor"],
    ["/account?tab=billing", "kept by Chidi Okafor"],
    ["/account?tab=preferences", "Dark mode"],
    ["/account?tab=connections", "API tokens"],
    ["/account/export", "Complete export"],
    ["/account?tab=logout", "Log out of this browser"],
    ["/account?tab=terms", "Terms of Service"],
    ["/terms", "Service Description"],
    ["/privacy", "Information We Collect"],
  ]);
  await page.goto(`${server.url}/account`);
  await expect(page.getByRole("tab")).toHaveText(["Profile", "Preferences", "Connections", "Log Out", "Terms"]);
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Preferences" }).click();
  await expect(page.getByRole("slider", { name: "Brightness" })).toBeEnabled();

  expect((await page.goto(`${server.url}/pricing`))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "404 Page Not Found" })).toBeVisible();
  await expectNoPlans(page);

  await page.getByRole("link", { name: "Team", exact: true }).click();
  await expect(page.getByRole("button", { name: "Start a Team" })).toBeDisabled();
  await expectNoPlans(page);
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);
  await page.getByLabel("Team name").fill("The Okafors");
  await page.getByRole("button", { name: "Start a Team" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The Okafors" })).toBeVisible();
  await expect(page.getByText("1 / 50 seats used")).toBeVisible();
  await expectNoPlans(page);
  await expectAccessible(page);
  for (const tab of ["Shared dashboard", "Challenges"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true");
    await page.waitForLoadState("networkidle");
    await expectNoPlans(page);
  }

  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The Okafor shelf" })).toBeVisible();
});

test("the operator of a private server sees users without plans, and what the config file fixes", async ({ page }) => {
  await server.start(SETTINGS);
  makeAccount("chidi@okafor.example", "Chidi Okafor", "--admin");
  await page.goto(server.url);
  await logIn(page, "chidi@okafor.example");
  await walk(page, [
    ["/admin", "System Load"],
    ["/admin?tab=users", "chidi@okafor.example"],
    ["/admin?tab=events", "Logged in"],
    ["/admin?tab=server", "Everything, without limits"],
  ]);
  await expect(page.getByText("Set in the config file, the environment or by a flag")).toHaveCount(3);
  await expect(page.getByRole("radio", { name: /^Everything, without limits/ })).toBeDisabled();
  await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
  await expectAccessibleInBoth(page);
  await expectToFitPhones(page);

  await page.getByLabel("Folder").fill("backups");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText(/must begin with a slash/).first()).toBeVisible();
  await expect(page.getByLabel("Folder")).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel("Folder").fill(join(server.folder, "backups"));
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Settings saved", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Save Settings" })).toBeDisabled();
  await page.goto(`${server.url}/admin?tab=events`);
  await expect(page.getByText("Server settings changed").first()).toBeVisible();
});

test("an operator makes a public server private, and public again, without a restart", async ({ page, browser }) => {
  await server.start("");
  makeAccount("chidi@okafor.example", "Chidi Okafor", "--admin");
  await page.goto(`${server.url}/login`);
  await logIn(page, "chidi@okafor.example");
  await page.goto(`${server.url}/account`);
  await expect(page.getByRole("tab", { name: "Billing" })).toBeVisible();

  await page.goto(`${server.url}/admin?tab=server`);
  await page.getByLabel("Name", { exact: true }).fill("The Okafor shelf");
  await page.getByRole("radio", { name: /^Everything, without limits/ }).check();
  await page.getByRole("radio", { name: /^By invitation/ }).check();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Settings saved", { exact: true }).first()).toBeVisible();
  await expect(page).toHaveTitle("Admin | The Okafor shelf");
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Account Settings" }).click();
  await expect(page.getByText("The Okafor shelf").first()).toBeVisible();
  await expect(page.getByRole("tab", { name: "Billing" })).toHaveCount(0);
  await expectNoPlans(page);

  const visitor = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  await visitor.goto(server.url);
  await expect(visitor.getByRole("heading", { level: 1, name: "The Okafor shelf" })).toBeVisible();
  await expectNoPlans(visitor);

  await page.goto(`${server.url}/admin?tab=server`);
  await page.getByRole("radio", { name: /^The plans/ }).check();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Settings saved", { exact: true }).first()).toBeVisible();
  expect((await visitor.goto(`${server.url}/pricing`))?.status()).toBe(200);
  await visitor.goto(server.url);
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("A shelf that keeps count.");
  await expect(visitor.getByRole("link", { name: "Pricing" }).first()).toBeVisible();
});
