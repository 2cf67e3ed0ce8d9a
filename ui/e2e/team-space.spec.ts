import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible, expectAccessibleInBoth, expectReachable, expectToFitPhones, refusals } from "./accessible";
import { addBook, daysBefore } from "./books";
import { get, setPlan, signUp, today } from "./people";

const DAY = today();

/** Another reader, with a browser of their own. */
async function another(browser: Browser, name: string): Promise<{ page: Page; email: string }> {
  const page = await (await browser.newContext()).newPage();
  return { page, email: await signUp(page, name) };
}

/** The team of Nora, who owns it, with Imani and Aiko as members. Each has a browser of her own and some books. */
async function team(browser: Browser) {
  const nora = await another(browser, "Nora Lindqvist");
  setPlan(nora.email, "shelfwise_team");
  const members = [await another(browser, "Imani Okafor"), await another(browser, "Aiko Tanabe")] as const;
  for (const { page, email } of members) {
    const made = await nora.page.request.post("/api/teams/invite", { data: { email } });
    const { invitation } = (await made.json()) as { invitation: { inviteUrl: string } };
    const token = invitation.inviteUrl.split("/").at(-1);
    expect((await page.request.post(`/api/invitations/${token}/accept`)).status()).toBe(200);
  }
  const [imani, aiko] = members;
  await addBook(nora.page, { title: "Middlemarch", author: "George Eliot", wordCount: 316_059, dateCompleted: DAY });
  await addBook(nora.page, { title: "Trust", author: "Hernan Diaz", status: "in-progress", rating: null });
  await addBook(imani.page, {
    title: "Dune",
    author: "Frank Herbert",
    wordCount: 187_240,
    format: "Audio",
    genres: ["Science Fiction"],
    dateCompleted: daysBefore(DAY, 1),
  });
  await addBook(aiko.page, { title: "Circe", author: "Madeline Miller", wordCount: 119_300, dateCompleted: DAY });
  return { nora: nora.page, imani: imani.page, aiko: aiko.page, email: nora.email };
}

async function share(page: Page, shareWithTeam: boolean) {
  expect((await page.request.patch("/api/preferences", { data: { shareWithTeam } })).status()).toBe(200);
}

const shelf = (page: Page) => page.getByRole("region", { name: "The shared shelf" });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });
const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();

test("members who share are counted, members who stop are not, and a member who never shared never shows", async ({
  browser,
}) => {
  test.slow();
  const { nora, imani, aiko } = await team(browser);
  const refused = refusals(nora);
  await nora.goto("/team");
  await tab(nora, "Shared dashboard").click();
  await expect(nora.getByRole("heading", { name: "No one shares yet" })).toBeVisible();
  await expect(nora.getByText(/Never your impressions, quotes or TBR/)).toBeVisible();
  await expectAccessibleInBoth(nora);
  await expectToFitPhones(nora);

  await nora.getByRole("button", { name: "Share my books" }).click();
  await expect(shelf(nora)).toContainText("Nora Lindqvist");
  await expect(nora.getByText("316,059", { exact: true }).first()).toBeVisible();
  await expect(nora.getByText("1 of 3 members shares.")).toBeVisible();

  await imani.goto("/account?tab=preferences");
  await imani.getByRole("switch", { name: "Share with my team" }).check();
  await expect(toast(imani, "Preferences updated")).toBeVisible();
  await imani.goto("/team?tab=dashboard");
  await expect(imani.getByText("2 of 3 members share.")).toBeVisible();
  await expect(imani.getByText("503,299", { exact: true }).first()).toBeVisible();
  await expect(shelf(imani)).toContainText("Middlemarch");
  await expect(imani.locator("main")).not.toContainText(/Trust|Circe|Aiko/);
  await expectAccessibleInBoth(imani);
  await expectReachable(imani);
  await expectToFitPhones(imani);

  // Aiko looks without sharing; her own filter is in the address.
  await aiko.goto("/team?tab=dashboard");
  await aiko.getByRole("button", { name: "Formats" }).click();
  await aiko.getByRole("checkbox", { name: /Audio/ }).check();
  await expect(aiko.getByText("1 of 2 books")).toBeVisible();
  await expect(shelf(aiko)).not.toContainText("Middlemarch");
  await expect(aiko).toHaveURL(/\/team\?tab=dashboard&formats=Audio$/);
  await aiko.reload();
  await expect(aiko.getByText("1 of 2 books")).toBeVisible();
  await aiko.getByRole("button", { name: "Rank the readers" }).click();
  await expect(aiko.getByRole("list", { name: "Readers by words" }).getByRole("listitem")).toHaveText([
    /^Imani Okafor187,240 words, 1 book$/,
    /^Nora Lindqvist0 words, 0 books$/,
  ]);
  await expectAccessible(aiko);

  // An added book shows at once, and so does its removal.
  await imani.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" }).click();
  await addBook(imani, { title: "Kindred", author: "Octavia E. Butler", wordCount: 97_300, dateCompleted: DAY });
  await imani.goto("/team?tab=dashboard");
  await expect(shelf(imani)).toContainText("Kindred");
  const own = imani.getByRole("switch", { name: "Share with my team" });
  await own.uncheck();
  await expect(imani.getByText("1 of 3 members shares.")).toBeVisible();
  await expect(shelf(imani)).not.toContainText(/Kindred|Dune|Imani/);
  await nora.reload();
  await expect(nora.getByText("1 of 3 members shares.")).toBeVisible();
  await expect(nora.locator("main")).not.toContainText(/Kindred|Dune|Imani|Frank Herbert|Science Fiction/);
  const answer = await get<object>(nora.request, "/api/teams/stats");
  expect(JSON.stringify(answer)).not.toMatch(/Imani|Aiko|Dune|Circe/);
  expect(refused).toEqual([]);
});

test("a challenge is set, filled by those who share, changed, and taken back", async ({ browser }) => {
  test.slow();
  const { nora, imani, aiko } = await team(browser);
  await share(imani, true);
  await nora.goto("/team?tab=challenges");
  await expect(nora.getByRole("heading", { name: "No challenges yet" })).toBeVisible();
  await expectAccessible(nora);
  await nora.getByRole("button", { name: "Create a challenge" }).first().click();
  const form = nora.getByRole("dialog", { name: "Create a challenge" });
  await form.getByRole("button", { name: "Create challenge" }).click();
  await expect(form.getByText("The title is required.")).toBeVisible();
  await expectAccessibleInBoth(nora);
  await form.getByLabel("Title").fill("Half a million words");
  await form.getByLabel("Target").fill("500,000");
  await form.getByLabel("Start Date").fill(daysBefore(DAY, 30));
  await form.getByLabel("End Date").fill(daysBefore(DAY, -9));
  await form.getByRole("button", { name: "Create challenge" }).click();
  await expect(toast(nora, "Challenge set")).toBeVisible();
  const block = (page: Page, name = "Half a million words") => page.getByRole("region", { name });
  await expect(block(nora)).toContainText("187.2K of 500K words");
  await expect(block(nora)).toContainText("9 days left");
  await expect(block(nora)).not.toContainText("Nora");
  await expect(nora.getByText(/^You don’t share, so your books are not counted here/)).toBeVisible();

  // Her own books count once she shares, and beyond the target it is reached.
  await share(nora, true);
  await nora.reload();
  await expect(block(nora)).toContainText("503.3K of 500K words, reached");
  await expect(block(nora).getByRole("listitem")).toHaveText(["Nora Lindqvist316,059", "Imani Okafor187,240"]);
  await expectAccessibleInBoth(nora);
  await expectToFitPhones(nora);

  await aiko.goto("/team?tab=challenges");
  await expect(block(aiko)).toContainText("503.3K");
  await expect(aiko.getByRole("button", { name: /challenge|^Edit/ })).toHaveCount(0);
  await expectAccessible(aiko);

  await nora.getByRole("button", { name: "Edit Half a million words" }).click();
  const edit = nora.getByRole("dialog", { name: "Edit challenge" });
  await edit.getByLabel("Title").fill("Four books");
  await edit.getByRole("radio", { name: "Books" }).check();
  await edit.getByLabel("Target").fill("4");
  await expectAccessibleInBoth(nora);
  await expectReachable(nora, "[role=dialog]");
  await edit.getByRole("button", { name: "Save" }).click();
  await expect(block(nora, "Four books")).toContainText("2 of 4 books");

  await share(imani, false);
  await nora.reload();
  await expect(block(nora, "Four books")).toContainText("1 of 4 books");
  await expect(nora.locator("main")).not.toContainText("Imani");

  await nora.getByRole("button", { name: "Edit Four books" }).click();
  await edit.getByRole("button", { name: "Delete" }).click();
  const question = nora.getByRole("alertdialog", { name: "Delete this challenge?" });
  await expect(question.getByRole("button", { name: "Keep challenge" })).toBeFocused();
  await question.getByRole("button", { name: "Delete Challenge" }).click();
  await expect(toast(nora, "Challenge deleted")).toBeVisible();
  await expect(nora.getByRole("heading", { name: "No challenges yet" })).toBeVisible();
});

test("on a phone a past challenge stays inside the page, with its figures and its pencil", async ({ browser }) => {
  const { nora } = await team(browser);
  await share(nora, true);
  const days = { startDate: daysBefore(DAY, 200), endDate: daysBefore(DAY, 1) };
  await addBook(nora, { title: "Emma", dateCompleted: daysBefore(DAY, 2) });
  const past = { title: "Forty books in spring and summer", metric: "books", target: 1, ...days };
  expect((await nora.request.post("/api/teams/challenges", { data: past })).status()).toBe(201);
  await nora.setViewportSize({ width: 390, height: 780 });
  await nora.goto("/team?tab=challenges");
  await expect(nora.getByRole("heading", { name: "Past challenges" })).toBeVisible();
  await expect(nora.getByText(/reached$/)).toBeVisible();
  const box = await nora.getByRole("button", { name: `Edit ${past.title}` }).boundingBox();
  // The icon of 20 px is in the middle of its button, and the page's margin is 16 px.
  expect((box?.x ?? 0) + (box?.width ?? 0) / 2 + 10).toBeLessThanOrEqual(390 - 16);
  await expectToFitPhones(nora);
  // Each word is on one line.
  await nora.setViewportSize({ width: 390, height: 780 });
  const broken = await nora.getByText(/reached$/).evaluate((figures) => {
    const text = figures.firstChild as Text;
    return [...text.data.matchAll(/\w+/g)].filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return range.getClientRects().length > 1;
    }).length;
  });
  expect(broken).toBe(0);
});

test("a team that no one pays for reads on, and sets no new challenge", async ({ browser }) => {
  const { nora, email } = await team(browser);
  await share(nora, true);
  const data = { title: "Books", metric: "books", target: 4, startDate: DAY, endDate: daysBefore(DAY, -9) };
  expect((await nora.request.post("/api/teams/challenges", { data })).status()).toBe(201);
  await nora.goto("/team?tab=challenges");
  await nora.getByRole("button", { name: "Create a challenge" }).click();
  setPlan(email, "reader");
  const form = nora.getByRole("dialog", { name: "Create a challenge" });
  await form.getByLabel("Title").fill("Too late");
  await form.getByLabel("Target").fill("5");
  await form.getByLabel("End Date").fill(daysBefore(DAY, -9));
  await form.getByRole("button", { name: "Create challenge" }).click();
  await expect(form.getByText("The team's subscription has ended.")).toBeVisible();
  await nora.reload();
  await expect(nora.getByRole("region", { name: "Books", exact: true })).toContainText("1 of 4 books");
  await expect(nora.getByRole("button", { name: "Create a challenge" })).toBeDisabled();
  await expectAccessible(nora);
  await tab(nora, "Shared dashboard").click();
  await expect(shelf(nora)).toContainText("Middlemarch");
  await expect(nora.getByText(/Viewing limited history/)).toBeVisible();
  await expectAccessible(nora);
});
