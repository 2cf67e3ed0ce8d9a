import { request as forward, type Server } from "node:http";
import { expect, type Page, test } from "@playwright/test";
import { PASSWORD, TIME_ZONE, today } from "./people";
import { listen, stop } from "./providers";
import { OwnServer } from "./server";

/*
 * A proxy in front of the server, which answers in its place.
 */

/** What the proxy answers instead of the server. */
interface Instead {
  status: number;
  body: string;
  /** Only to requests that send something. */
  posts?: boolean;
  /** The server gets the request, and its answer is lost. */
  forwards?: boolean;
}

let server: OwnServer;
let proxy: { server: Server; url: string };
let instead: Instead | null;

test.beforeEach(async () => {
  instead = null;
  server = await OwnServer.at();
  await server.start("");
  proxy = await listen((request, response) => {
    const { method, headers, url = "" } = request;
    const own = instead?.posts && method !== "POST" ? null : instead;
    const forwarded = forward(new URL(url, server.url), { method, headers }, (answer) => {
      if (own) {
        answer.resume();
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    if (!own || own.forwards) request.pipe(forwarded);
    else forwarded.destroy();
    forwarded.on("error", () => undefined);
    if (own) response.writeHead(own.status, { "Content-Type": "text/html" }).end(own.body);
  });
});

test.afterEach(async () => {
  await stop(proxy.server);
  await server.stop();
});

async function signUp(page: Page): Promise<void> {
  const data = { displayName: "Nora", email: "nora@example.org", password: PASSWORD, timezone: TIME_ZONE };
  expect((await page.request.post(`${proxy.url}/api/auth/signup`, { data })).status()).toBe(201);
}

const stored = async (page: Page, path: string) =>
  ((await (await page.request.get(proxy.url + path)).json()) as { data: object[] }).data;

/** Waits until this browser keeps no act any more. */
async function expectAllSent(page: Page): Promise<void> {
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("shelfwise.outbox")));
  await expect.poll(kept).toEqual([]);
}

test("a proxy that cannot reach the server is a missing network: notes wait, and the library is shown", async ({
  page,
}) => {
  test.slow();
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page);
  const book = { title: "Dune", author: "Frank Herbert", pages: 400, status: "in-progress", startDate: today() };
  const added = await page.request.post(`${proxy.url}/api/books`, { data: book });
  const { id } = ((await added.json()) as { book: { id: number } }).book;
  await page.goto(`${proxy.url}/reading`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Dune" })).toBeVisible();

  let place = 100;
  for (const status of [502, 503, 504, 200]) {
    place += 10;
    instead = { status, body: "<h1>The upstream server is away</h1>" };
    await page.getByLabel("Where you are in Dune").fill(String(place));
    await page.getByRole("button", { name: "Note", exact: true }).click();
    await expect(page.getByRole("region", { name: "1 note waits here" })).toBeVisible();
    await page.reload();
    await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible();
    await expect(page.getByText(new RegExp(`^Page ${place} of 400`))).toBeVisible();

    instead = null;
    await page.reload();
    await expectAllSent(page);
    await expect(page.getByText("Offline. Showing your library as last seen")).toBeHidden();
    expect(await stored(page, `/api/books/${id}/days`)).toEqual([expect.objectContaining({ page: place })]);
  }
});

test("an act that a proxy gave up, and the server did, is there once", async ({ page }) => {
  await signUp(page);
  await page.goto(`${proxy.url}/add-book?tab=tbr`);
  await page.getByLabel("Title").fill("Orlando");
  instead = { status: 504, body: "<h1>Gateway Timeout</h1>", posts: true, forwards: true };
  await page.getByRole("button", { name: "Add to TBR" }).click();
  await expect(page.getByText("Noted here; sent when there is a connection.").first()).toBeVisible();
  instead = null;
  await expectAllSent(page);
  expect(await stored(page, "/api/tbr")).toEqual([expect.objectContaining({ title: "Orlando" })]);
});

test("a file that a proxy refuses as too large says that it was the proxy, and stays", async ({ page }) => {
  await signUp(page);
  await page.goto(`${proxy.url}/import`);
  instead = { status: 413, body: "<h1>413 Request Entity Too Large</h1>", posts: true };
  const file = { name: "books.csv", mimeType: "text/csv", buffer: Buffer.from("Title,Author\nEmma,Jane Austen\n") };
  await page.locator("input[type=file]").first().setInputFiles(file);
  await expect(page.getByRole("alert")).toContainText(
    "The proxy in front of this server refused the file as too large (413).",
  );
  instead = null;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Import as Read Books" })).toBeEnabled();
});
