import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { attack, OtherSite, type Unsafe } from "./attacks";
import { pathOf } from "./below";
import { addBook } from "./books";
import { beOperator, get, newEmail, PASSWORD, setPlan, signUp, today } from "./people";
import { OwnServer } from "./server";

// Requests by the service worker would bypass the routes that a test intercepts.
test.use({ serviceWorkers: "block" });

/** Prints a row of the table of attacks (scripts/attacks). */
function row(what: string, count: number, found: string, goal: string) {
  console.log(`| ${what} | ${count} | ${found} | ${goal} | ok |`);
}

/** Whether the run is for the table, with all counts: `HOSTILE` is set. */
const inFull = Number(process.env.HOSTILE ?? 0) >= 60;

/** Calls that other sites make on purpose. Each requires a proof of its own. */
const EXEMPT: Readonly<Record<string, number>> = {
  "POST /api/stripe/webhook": 503,
  "POST /api/auth/oauth/{provider}/callback": 400,
};

/** A reader with everything that another site could harm: an operator with a team, books and a token. */
class Victim {
  private constructor(
    readonly server: OwnServer,
    readonly page: Page,
    /** The values of the path parameters. */
    private readonly ids: Readonly<Record<string, string>>,
    private readonly mallory: string,
  ) {}

  static async at(server: OwnServer, context: BrowserContext): Promise<Victim> {
    const { BINARY } = process.env;
    if (!BINARY) throw new Error("BINARY names the program");
    const run = (args: readonly string[], input = "") =>
      execFileSync(BINARY, [...args, "--data-dir", join(server.folder, "data")], { stdio: "pipe", input });
    const [email, mallory, greta] = [newEmail("operator"), newEmail("mallory"), newEmail("greta")];
    for (const one of [email, mallory, greta]) {
      run(["user", "create", one, "--name", "Ida", ...(one === email ? ["--admin"] : [])], `${PASSWORD}\n`);
    }
    run(["plan", "set", email, "shelfwise_team"]);
    const page = await context.newPage();
    const post = async (path: string, data: unknown) => {
      const answer = await page.request.post(server.url + path, { data });
      if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
      return (await answer.json()) as Record<string, { id: number; inviteUrl?: string }>;
    };
    await post("/api/auth/login", { email, password: PASSWORD });
    const { book } = await post("/api/books", { title: "Emma", author: "Jane Austen", status: "undated" });
    const { item } = await post("/api/tbr", { title: "Kindred" });
    const { token } = await post("/api/account/tokens", { name: "Sync", access: "read" });
    const { invitation } = await post("/api/teams/invite", { email: greta });
    const dates = { startDate: "2026-01-01", endDate: "2026-12-31" };
    const { challenge } = await post("/api/teams/challenges", { title: "T", metric: "books", target: 9, ...dates });
    const file = { name: "books.csv", mimeType: "text/csv", buffer: Buffer.from("Title,Author\nCirce,Miller\n") };
    const imported = await page.request.post(`${server.url}/api/books/import`, { multipart: { file } });
    const { importId } = (await imported.json()) as { importId: number };
    const users = await get<{ data: { id: number; email: string }[] }>(page.request, `${server.url}/api/admin/users`);
    const user = users.data.find((one) => one.email === mallory)?.id;
    const sessions = await get<{ data: { id: number }[] }>(page.request, `${server.url}/api/auth/sessions`);
    const ids = {
      "/api/books/": book?.id,
      "/api/tbr/": item?.id,
      "/api/imports/": importId,
      "/api/account/tokens/": token?.id,
      "/api/auth/sessions/": sessions.data[0]?.id,
      "/api/admin/users/": user,
      "/api/teams/members/": user,
      "/api/teams/invitations/": invitation?.id,
      "/api/teams/challenges/": challenge?.id,
      "/api/invitations/": invitation?.inviteUrl?.split("/").at(-1),
    };
    const texts = Object.entries(ids).map(([path, id]) => [path, String(id)]);
    return new Victim(server, page, Object.fromEntries(texts), mallory);
  }

  /** Every call in the API description that changes something, on the victim's own data. */
  async calls(): Promise<(Unsafe & { name: string })[]> {
    const description = await get<{ paths: Record<string, object> }>(
      this.page.request,
      `${this.server.url}/api/openapi.json`,
    );
    const named = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    );
    return named
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => {
        const start = Object.keys(this.ids).find((one) => path.startsWith(one));
        const filled = path.replace(/\{\w+\}/, (start && this.ids[start]) ?? "mine");
        return { name: `${method} ${path}`, method, path: filled, body: this.body(path) };
      });
  }

  /** One body for all calls: each reads the fields that it knows. */
  private body(path: string) {
    const login = path.startsWith("/api/auth/") ? { email: this.mallory } : { email: newEmail("x") };
    return {
      ...login,
      password: PASSWORD,
      currentPassword: PASSWORD,
      newPassword: "a password of Mallory's",
      displayName: "Mallory",
      title: "Evil",
      author: "Mallory",
      status: "undated",
      theme: "dark",
      name: "Evil",
      access: "read-write",
      role: "admin",
      plan: path.includes("toggle") ? "shelfwise_plus" : "reader",
      disabled: true,
      addonSeats: 3,
      metric: "books",
      target: 1,
      startDate: "2026-01-01",
      endDate: "2026-12-31",
      bookIds: [Number(this.ids["/api/tbr/"])],
      immediate: true,
    };
  }

  /** The victim's data, except for the times when they were last seen. */
  async everything(): Promise<string> {
    const areas = ["auth/me", "auth/sessions", "preferences", "books", "tbr", "imports", "subscriptions/current"];
    const more = ["account/tokens", "account/identities", "teams/current", "teams/seat-usage", "teams/challenges"];
    const seen = await Promise.all(
      [...areas, ...more, "admin/users"].map((area) => get(this.page.request, `${this.server.url}/api/${area}`)),
    );
    return JSON.stringify(seen, (key, value) => (/^last(Seen|Active|UsedAt)$/.test(key) ? undefined : value), 1);
  }
}

test("no page of another site changes anything, whatever it sends in whatever way", async ({ browser }) => {
  test.setTimeout(900_000);
  const server = await OwnServer.at();
  await server.start("");
  const sites = [await OtherSite.at("localhost"), await OtherSite.at("127.0.0.1")];
  const context = await browser.newContext();
  try {
    const victim = await Victim.at(server, context);
    const all = await victim.calls();
    // All of them for the table; a few in every run.
    const calls = all.filter((_, place) => inFull || place % 9 === 0);
    const [before, cookies] = [await victim.everything(), await context.cookies(server.url)];
    expect(all.length).toBeGreaterThan(40);

    const answered: { call: string; status: number }[] = [];
    let sent = 0;
    context.on("request", (request) => {
      if (request.url().startsWith(server.url)) sent += 1;
    });
    context.on("response", (response) => {
      const { method, url } = { method: response.request().method(), url: response.url() };
      if (!url.startsWith(server.url) || ["GET", "HEAD", "OPTIONS"].includes(method)) return;
      answered.push({ call: `${method} ${url.slice(server.url.length)}`, status: response.status() });
    });
    for (const site of sites) {
      const page = await context.newPage();
      await page.goto(site.url);
      await page.evaluate(attack, { base: server.url, calls });
      // In the whole window, where a cookie with SameSite=Lax is sent with requests that only read.
      for (const { path, body } of calls) {
        await page.goto(site.url);
        await Promise.all([
          page.waitForEvent("framenavigated"),
          page.evaluate(
            ([action, text]) => {
              const form = Object.assign(document.createElement("form"), {
                action,
                method: "post",
                enctype: "text/plain",
              });
              form.append(Object.assign(document.createElement("input"), { name: text, value: "" }));
              document.body.append(form);
              form.submit();
            },
            [server.url + path, JSON.stringify(body)] as const,
          ),
        ]);
      }
      await page.close();
    }

    const exempt = calls.flatMap(({ name, method, path }) => {
      const status = EXEMPT[name];
      return status ? [{ call: `${method} ${path}`, status }] : [];
    });
    const passed = answered.filter(
      ({ call, status }) => status !== 403 && !exempt.some((one) => one.call === call && one.status === status),
    );
    expect(passed).toEqual([]);
    expect(await victim.everything()).toBe(before);
    expect(await context.cookies(server.url)).toEqual(cookies);
    row(
      `requests of other sites' pages to ${calls.length} unsafe calls in 16 ways, from another host and another port`,
      sent,
      `none changed anything; the ${answered.length} answers to writing ones were refusals`,
      "no effect",
    );

    // The same calls from the server's own page succeed, so they were refused because of their origin.
    await victim.page.goto(`${server.url}/privacy`);
    const last = ({ path }: Unsafe) => ["/api/account/data", "/api/auth/logout", "/api/account"].indexOf(path);
    const ordered = [...all].sort((one, other) => last(one) - last(other));
    const statuses = await victim.page.evaluate(async (all: readonly Unsafe[]) => {
      const found: number[] = [];
      for (const { method, path, body } of all) {
        const headers = { "content-type": "application/json" };
        found.push((await fetch(path, { method, headers, body: JSON.stringify(body) })).status);
      }
      return found;
    }, ordered);
    expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(15);
  } finally {
    await context.close();
    await Promise.all(sites.map((site) => site.stop()));
    await server.stop();
  }
});

test("no page of another site reads anything or shows a page of ours in a frame", async ({ page, baseURL }) => {
  await signUp(page);
  await addBook(page, { dateCompleted: today() });
  const sites = [await OtherSite.at("localhost"), await OtherSite.at("127.0.0.1")];
  const readable = ["/api/books", "/api/auth/me", "/api/account/export", "/api/account/export/books.csv", "/dashboard"];
  try {
    for (const { url } of sites) {
      await page.goto(url);
      const read = await page.evaluate(
        async ([base, paths]) => {
          const found: string[] = [];
          for (const path of paths) {
            for (const mode of ["cors", "no-cors"] as const) {
              const answer = await fetch(base + path, { mode, credentials: "include" }).catch(() => undefined);
              const text = await answer?.text().catch(() => "");
              if (text) found.push(`${mode} ${path}: ${text}`);
            }
          }
          for (const path of ["/dashboard", "/account", "/login"]) {
            const frame = Object.assign(document.createElement("iframe"), { src: base + path });
            const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
            document.body.append(frame);
            await loaded;
          }
          return found;
        },
        [baseURL ?? "", readable] as const,
      );
      expect(read).toEqual([]);
      expect(page.frames().filter((frame) => frame.url().startsWith(baseURL ?? "?"))).toEqual([]);
    }
    const tried = sites.length * (readable.length * 2 + 3);
    row("reads and frames of other sites' pages", tried, "nothing read, nothing framed", "no effect");
  } finally {
    await Promise.all(sites.map((site) => site.stop()));
  }
});

test("a login by a link leads to the dashboard, whatever address the link carries", async ({ page, baseURL }) => {
  test.setTimeout(300_000);
  const own = new URL(baseURL ?? "");
  const listed: string[] = JSON.parse(
    readFileSync(new URL("../../tests/fixtures/hostile-addresses.json", import.meta.url), "utf8"),
  );
  const addresses = listed.map((one) => one.replaceAll("{own}", own.origin).replaceAll("{host}", own.host));
  // All of them for the table; a few of each kind in every run.
  const few = inFull ? 1 : 11;
  const tried = addresses.filter((_, place) => place % few === 0 || place === 50);
  const email = await signUp(page);
  const away: string[] = [];
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(own.origin) && frame.url() !== "about:blank") away.push(frame.url());
  });
  for (const address of tried) {
    await page.context().clearCookies();
    await page.goto(`/login?next=${encodeURIComponent(address)}&returnTo=${encodeURIComponent(address)}`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Log In" }).click();
    // An address that begins like an invitation's is an invitation on this server: nothing in it leads elsewhere.
    await page.waitForURL((url) => url.origin !== own.origin || pathOf(url) !== "/login");
    expect(new URL(page.url()).origin, address).toBe(own.origin);
    if (!address.startsWith("/invite/")) expect(pathOf(page.url()), address).toBe("/dashboard");
  }
  expect(away).toEqual([]);
  row("logins by a link with a hostile address to go on to", tried.length, "none left the server", "none works");
});

const SHOWN = {
  visitor: ["/", "/login", "/signup", "/forgot-password", "/reset-password/x", "/invite/x", "/pricing", "/privacy"],
  reader: [
    ...["/terms", "/nowhere", "/dashboard", "/dashboard?titleSearch=nothing", "/add-book", "/add-book?tab=tbr"],
    ...["/add-book?tab=edit", "/tbr", "/import", "/account", "/account?tab=billing", "/account?tab=preferences"],
    ...["/account?tab=logout", "/account?tab=terms", "/pricing"],
  ],
  team: ["/team", "/team?tab=dashboard", "/team?tab=challenges", "/dashboard", "/account?tab=billing", "/pricing"],
  operator: ["/admin", "/admin?tab=users", "/admin?tab=location", "/admin?tab=devices", "/admin?tab=system"],
} as const;

test("every page keeps to a policy without unsafe words and asks no one but this server", async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000);
  const { elsewhere, unsafe } = { elsewhere: [] as string[], unsafe: [] as string[] };
  let [pages, requests] = [0, 0];
  const plant = () => {
    document.body.append(Object.assign(document.createElement("style"), { textContent: "main { color: red }" }));
    document.body.append(Object.assign(new Image(), { src: "http://localhost:9/" }));
    document.body.setAttribute("style", "color: red");
    try {
      document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }));
      return "a text became a script";
    } catch {
      return "refused";
    }
  };
  for (const [who, paths] of Object.entries(SHOWN)) {
    const broken: string[] = [];
    // With the service worker, which makes requests, too.
    const context = await browser.newContext({ baseURL, serviceWorkers: "allow" });
    const page = await context.newPage();
    if (who === "operator") await beOperator(page);
    else if (who !== "visitor") {
      const email = await signUp(page);
      if (who === "team") setPlan(email, "shelfwise_team");
      await addBook(page, { dateCompleted: today() });
    }
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        console.error(`policy violated: ${violatedDirective} ${blockedURI}`),
      );
    });
    context.on("request", (request) => {
      requests += 1;
      const url = request.url();
      if (!url.startsWith(`${new URL(baseURL ?? "").origin}/`) && !/^(data|blob):/.test(url)) elsewhere.push(url);
    });
    context.on("console", (message) => {
      if (/Content Security Policy|policy violated/.test(message.text())) broken.push(message.text());
    });
    for (const path of paths) {
      const answer = await page.goto(path);
      const policy = (await answer?.allHeaders())?.["content-security-policy"] ?? "none";
      if (/unsafe-(inline|eval)|\*|https?:/.test(policy) || policy === "none") unsafe.push(`${path}: ${policy}`);
      await expect(page.locator("main")).toBeVisible();
      await page.waitForLoadState("networkidle");
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      pages += 1;
    }
    expect({ broken, elsewhere }).toEqual({ broken: [], elsewhere: [] });
    // The planted request is found.
    expect(await page.evaluate(plant)).toBe("refused");
    await expect.poll(() => broken.length).toBeGreaterThan(1);
    await expect.poll(() => elsewhere.splice(0)).toEqual(["http://localhost:9/"]);
    await context.close();
  }
  expect(unsafe).toEqual([]);
  row(
    `pages walked through under their policy, by four kinds of people, with ${requests} requests`,
    pages,
    "0 violations, 0 third-party requests",
    "0 and 0",
  );
});
