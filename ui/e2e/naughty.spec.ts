import { expect, type Page, test } from "@playwright/test";
import { expectToFitPhones, refusals } from "./accessible";
import { pathOf } from "./below";
import { NAUGHTY, putEverywhere, trimmed } from "./naughty";
import { newEmail, PASSWORD, setPlan, signUp, today } from "./people";
import { OwnServer } from "./server";

const DAY = today();
/** The owner of a team sees every text of the interface. */
const PAGES = [
  "/dashboard",
  "/add-book?tab=edit",
  "/tbr",
  "/search?q=script",
  "/search?tab=quotes",
  "/import",
  "/account",
  "/account?tab=preferences",
  "/team",
  "/team?tab=dashboard",
  "/team?tab=challenges",
];

/** Every sign that a text was run: a dialog, an error, a violation of the policy, a request to another host. */
function trespasses(page: Page): string[] {
  const seen = refusals(page);
  page.on("dialog", async (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(https?:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) seen.push(`request: ${request.url()}`);
  });
  return seen;
}

/** Scrolls through a page, so that parts that are drawn only in view are drawn. */
async function seeAll(page: Page) {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += window.innerHeight) {
      window.scrollTo(0, top);
      await new Promise(requestAnimationFrame);
    }
  });
}

test("naughty strings are kept as they were sent, and nothing of them runs in the browser", async ({ page }) => {
  test.setTimeout(600_000);
  const seen = trespasses(page);
  const email = await signUp(page);
  setPlan(email, "shelfwise_team");
  expect((await page.request.patch("/api/preferences", { data: { shareWithTeam: true } })).status()).toBe(200);
  let fields = 0;
  for (const text of NAUGHTY) fields += await putEverywhere(page.request, text, DAY);

  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.locator("main h1, main h2").first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    await seeAll(page);
    const foreign = await page.evaluate(() => {
      const own = (address: string) => new URL(address, location.href).origin === location.origin;
      const links = [...document.querySelectorAll("a[href]")].map((link) => (link as HTMLAnchorElement).href);
      const strange = links.filter((address) => !own(address) && !/^(mailto:|https:\/\/)/.test(address));
      const inside =
        "main :is(script, iframe, object, embed, base, meta, link, form[action]), main [onerror], main [onload]";
      return [...strange, ...[...document.querySelectorAll(inside)].map((one) => one.outerHTML.slice(0, 200))];
    });
    expect(foreign, path).toEqual([]);
    expect(pathOf(page.url())).toBe(new URL(path, page.url()).pathname);
    await expectToFitPhones(page);
  }
  // The strings were really there to be run: a script of the list is on the page as text.
  await page.goto("/tbr");
  const script = trimmed(NAUGHTY.find((text) => text.includes("<script>")) ?? "");
  await page.getByRole("searchbox", { name: "Search your TBR" }).fill(script);
  await expect(page.getByText(script, { exact: true }).first()).toBeVisible();
  expect(seen).toEqual([]);
  console.log(
    `| naughty strings in every text field | ${NAUGHTY.length} | ${fields} values kept as sent; ${PAGES.length} pages: no dialog, no script, no violation | stored = returned, nothing runs | ok |`,
  );
});

for (const format of ["json", "text"] as const) {
  test(`naughty strings break no line of a log in ${format}`, async ({ playwright }) => {
    test.setTimeout(300_000);
    const server = await OwnServer.at();
    await server.start(`log_format = "${format}"\ndefault_plan = "shelfwise_plus"\n`, true);
    const person = await playwright.request.newContext({ baseURL: server.url });
    const account = { email: newEmail(), password: PASSWORD, displayName: "Nora" };
    expect((await person.post("/api/auth/signup", { data: account })).status()).toBe(201);
    for (const text of NAUGHTY) {
      const path = `/api/books/${encodeURIComponent(text)}?titleSearch=${encodeURIComponent(text)}`;
      // A header can contain only some of the characters.
      const header = text.replace(/[^\x20-\x7e]/g, "").trim();
      await person.get(path, {
        headers: { "User-Agent": header, "X-Request-Id": header, Referer: header, Origin: header },
      });
      await person.post("/api/books", { data: { title: text, author: text, status: text, genres: [text] } });
      await person.post("/api/auth/login", {
        data: { email: text, password: text },
        headers: { "User-Agent": header },
      });
      await person.fetch(`/${encodeURIComponent(text)}`);
    }
    await person.dispose();
    await server.stop();
    const lines = server.log.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(3 * NAUGHTY.length);
    const whole = (line: string) => {
      if (format === "text")
        return /^\d{4}-\d\d-\d\dT[\d:.]+Z +(INFO|WARN|ERROR) .*$/.test(line) && line.split(" request=").length <= 2;
      const { request, route, status } = JSON.parse(line) as Record<string, unknown>;
      return (
        status === undefined || (/^[\w.-]{1,64}$/.test(String(request)) && /^(-|\/[\w/{}.-]*)$/.test(String(route)))
      );
    };
    expect(lines.filter((line) => !whole(line))).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a line must not hold
    expect(server.log.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    if (format === "text")
      expect(
        lines.filter((line) => line.includes("request=") && !/ request="?[\w.-]{1,64}"? method=/.test(line)),
      ).toEqual([]);
    console.log(
      `| naughty strings in paths, queries, headers and bodies: the log in ${format} | ${4 * NAUGHTY.length} | ${lines.length} lines, each whole | no log line broken | ok |`,
    );
  });
}
