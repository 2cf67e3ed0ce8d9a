import { expect, test } from "@playwright/test";
import { addBook } from "./books";
import { PASSWORD, today } from "./people";
import { OwnServer } from "./server";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

for (const strips of [false, true]) {
  test(`everything is below a path, behind a proxy that ${strips ? "strips" : "keeps"} it`, async ({
    page,
    browser,
  }) => {
    test.setTimeout(120_000);
    const server = await OwnServer.at({ path: "/books", strips, leads: false });
    await server.start("");
    const wrong: string[] = [];
    page.context().on("request", (request) => {
      if (!request.url().startsWith(`${server.url}/`) && !/^(data|blob):/.test(request.url()))
        wrong.push(request.url());
    });
    page.on("response", (answer) => void (answer.status() === 404 && wrong.push(answer.url())));

    // Visitors, sign-up and a deep page that is loaded again.
    await page.goto(`${server.url}/tbr`);
    await expect(page).toHaveURL(`${server.url}/login`);
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Display name").fill("Nora Lindqvist");
    await page.getByLabel("Email").fill("nora@example.org");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    expect((await page.context().cookies()).map(({ path }) => path)).toEqual(["/books", "/books"]);

    await page.goto(`${server.url}/add-book`);
    await page.getByLabel("Title").fill("Gaudy Night");
    await page.getByLabel("Author").fill("Dorothy L. Sayers");
    await page.getByLabel("Word Count").fill("181300");
    await page.getByLabel("No date").check();
    await page.getByRole("button", { name: "Add Book" }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    const { data } = await (await page.request.get(`${server.url}/api/books`)).json();
    const { id } = data[0] as { id: number };
    const picture = { data: PIXEL, headers: { "Content-Type": "image/png" } };
    expect((await page.request.put(`${server.url}/api/books/${id}/cover`, picture)).status()).toBe(200);
    await page.goto(`${server.url}/book/${id}`);
    await page.reload();
    const cover = (await page.locator("image").getAttribute("href")) ?? "";
    expect(await page.evaluate(async (url) => (await fetch(url)).headers.get("Content-Type"), cover)).toMatch("image/");

    // The way back and the browser's.
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await page.goBack();
    await expect(page).toHaveURL(`${server.url}/book/${id}`);

    // A secret link, for a person without a session.
    const year = today().slice(0, 4);
    await addBook(page, { title: "Emma", dateCompleted: today() }, server.url);
    await page.goto(`${server.url}/years/${year}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Create link", exact: true }).click();
    const link = await page.getByRole("textbox", { name: "Address" }).inputValue();
    expect(link).toMatch(new RegExp(`^${server.url}/s/`));
    const stranger = await browser.newPage();
    stranger.on("response", (answer) => void (answer.status() >= 400 && wrong.push(answer.url())));
    await stranger.goto(link);
    await expect(stranger.getByRole("heading", { level: 1, name: year })).toBeVisible();

    // The installed program is its own beside others of the host.
    const manifest = await (await page.request.get(`${server.url}/manifest.webmanifest`)).json();
    expect(manifest.id).toBe("/books/");
    await page.goto(`${server.url}/dashboard`);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(scope).toBe(`${server.url}/`);
    await page.reload();
    await expect(page.getByText("2 books tracked")).toBeVisible();
    await server.stop();
    await page.goto(`${server.url}/dashboard`);
    await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible();
    await expect(page.getByText("2 books tracked")).toBeVisible();

    await server.start("");
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole("button", { name: "My Account" }).click();
    await page.getByRole("menuitem", { name: "Log Out" }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    await page.getByRole("banner").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Email").fill("nora@example.org");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    expect(wrong).toEqual([]);
    await server.stop();
  });
}
