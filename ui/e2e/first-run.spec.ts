import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessibleInBoth, expectReachable, expectToFitPhones } from "./accessible";
import { BELOW } from "./below";
import { PASSWORD } from "./people";
import { OwnServer } from "./server";

// The pages of a server change when it is set up; no copy of an earlier time may answer.
test.use({ serviceWorkers: "block" });

let server: OwnServer;

test.beforeEach(async () => {
  server = await OwnServer.at();
});

test.afterEach(() => server.stop());

/** The address that sets up the server, as the command prints it. */
function setupAddress(): string {
  const { BINARY } = process.env;
  if (!BINARY) throw new Error("BINARY names the program");
  // A command reads the settings as the server does.
  const env = {
    ...process.env,
    SHELFWISE_LISTEN: new URL(server.url).host,
    ...(BELOW && { SHELFWISE_PUBLIC_URL: server.url }),
  };
  const args = ["setup-code", "--data-dir", join(server.folder, "data")];
  const printed = execFileSync(BINARY, args, { encoding: "utf8", env });
  return printed.trim().replace("Set up this server: ", "");
}

/** Keeps a picture of the page in SHOTS, where someone looks at it, in both sizes and themes. */
async function shoot(page: Page, name: string): Promise<void> {
  const { SHOTS } = process.env;
  if (!SHOTS) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(SHOTS, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
}

test("from the printed address to a second reader", async ({ page, browser }) => {
  await server.start("");
  const address = setupAddress();
  expect(address.startsWith(`${server.url}/setup/`)).toBe(true);

  await page.goto(`${server.url}/setup`);
  await expect(page.getByLabel("Setup code")).toBeVisible();
  await expectAccessibleInBoth(page);
  await shoot(page, "asks-code");
  await page.goto(`${server.url}/setup/wrong`);
  await expect(page.getByText("This is not the code that the server printed last")).toBeVisible();
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: "An empty shelf" })).toBeVisible();
  await expect(page.getByLabel("Setup code")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Address" })).toHaveValue(server.url);
  await expectReachable(page);
  await expectToFitPhones(page);
  await shoot(page, "form");

  await page.getByLabel("Display name").fill("Chidi Okafor");
  await page.getByLabel("Email").fill("chidi@okafor.example");
  await page.getByLabel("Password").fill("12345678");
  await page.getByLabel("Name", { exact: true }).fill("The Okafor shelf");
  await page.getByLabel("Backups").fill("backups");
  await page.getByRole("button", { name: "Open the Shelf" }).click();
  await expect(page.getByRole("alert")).toContainText("1 field needs another look");
  await expect(page.getByLabel("Password")).toBeFocused();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Open the Shelf" }).click();
  await expect(page.getByText("The folder must begin with a slash")).toBeVisible();
  await expectAccessibleInBoth(page);
  await shoot(page, "invalid");
  await page.getByLabel("Backups").fill(join(server.folder, "backups"));
  await page.getByRole("button", { name: "Open the Shelf" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "The Okafor shelf is open" })).toBeVisible();
  await expect(page).toHaveTitle("Set up | The Okafor shelf");
  await expectAccessibleInBoth(page);
  await shoot(page, "done");
  expect((await page.request.get(address)).status()).toBe(404);

  await page.getByRole("link", { name: "Invite someone" }).click();
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("Email").fill("greta@okafor.example");
  await page.getByRole("button", { name: "Create invitation" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link.startsWith(`${server.url}/invite/`)).toBe(true);
  await shoot(page, "invited");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("greta@okafor.example")).toBeVisible();
  await expectAccessibleInBoth(page);
  await shoot(page, "users");

  const other = await browser.newPage({ serviceWorkers: "block" });
  await other.goto(link);
  await expect(other.getByText("Chidi Okafor invites you to The Okafor shelf")).toBeVisible();
  await expectAccessibleInBoth(other);
  await shoot(other, "invitation");
  await other.getByRole("link", { name: "Create an Account" }).click();
  await other.getByLabel("Display name").fill("Greta Holm");
  await other.getByLabel("Email").fill("greta@okafor.example");
  await other.getByLabel("Password").fill(PASSWORD);
  await other.getByRole("button", { name: "Create Account" }).click();
  await expect(other).toHaveURL(`${server.url}/dashboard`);
  await other.close();

  await page.reload();
  await expect(page.getByText("greta@okafor.example")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Invitations" })).toHaveCount(0);
});

test("an operator adds someone with a password, who signs in with it", async ({ page, browser }) => {
  await server.start("");
  const address = setupAddress();
  const code = address.split("/").pop();
  const data = {
    displayName: "Chidi",
    email: "chidi@okafor.example",
    password: PASSWORD,
    instance: "private",
    signup: "closed",
  };
  expect((await page.request.post(`${server.url}/api/setup/${code}`, { data })).status()).toBe(201);
  await page.goto(`${server.url}/admin?tab=users`);
  await expect(page.getByRole("button", { name: "Add someone" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Invite" })).toHaveCount(0);
  await page.getByRole("button", { name: "Add someone" }).click();
  await page.getByLabel("Display name").fill("Piet de Wit");
  await page.getByLabel("Email").fill("piet@okafor.example");
  await page.getByLabel("A password that is made now").check();
  await expectAccessibleInBoth(page);
  await shoot(page, "add");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const password = await page.getByRole("textbox", { name: "Password" }).inputValue();
  await shoot(page, "added");
  await page.getByRole("button", { name: "Done" }).click();

  const other = await browser.newPage({ serviceWorkers: "block" });
  await other.goto(`${server.url}/login`);
  await other.getByLabel("Email").fill("piet@okafor.example");
  await other.getByLabel("Password").fill(password);
  await other.getByRole("button", { name: "Log In" }).click();
  await expect(other).toHaveURL(`${server.url}/dashboard`);
  await other.close();
});
