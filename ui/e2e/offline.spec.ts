import { expect, test } from "@playwright/test";

test("the program and the last seen library open without a network, and are gone after the logout", async ({
  page,
  context,
}) => {
  const email = `offline-${Date.now()}@example.org`;
  const password = "a shelf of one's own";
  await page.request.post("/api/auth/signup", { data: { displayName: "Nora", email, password } });
  await page.request.post("/api/books", {
    data: { title: "Gaudy Night", author: "Dorothy L. Sayers", wordCount: 181_300, status: "undated", format: "Print" },
  });
  await page.goto("/dashboard");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await expect(page.getByText("1 book tracked")).toBeVisible();
  await page.goto("/tbr");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await context.setOffline(true);
  await page.goto("/dashboard");
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeVisible();
  await expect(page.getByText("1 book tracked")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();

  await context.setOffline(false);
  await page.goto("/dashboard");
  await expect(page.getByText("Offline. Showing your library as last seen")).toBeHidden();
  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("menuitem", { name: "Log Out" }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("shelfwise-reader")).keys()).length))
    .toBe(0);

  await context.setOffline(true);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible();
});

test("what is typed into a search is not kept for later", async ({ page }) => {
  await page.request.post("/api/auth/signup", {
    data: { displayName: "Nora", email: `typed-${Date.now()}@example.org`, password: "a shelf of one's own" },
  });
  for (const title of ["Gaudy Night", "Strong Poison"]) {
    await page.request.post("/api/books", {
      data: { title, author: "Dorothy L. Sayers", wordCount: 181_300, status: "undated", format: "Print" },
    });
  }
  await page.goto("/dashboard");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await page.getByPlaceholder("Search titles").pressSequentially("gaudy");
  await expect(page.getByRole("cell", { name: "Strong Poison", exact: true })).toHaveCount(0);
  await expect(page.getByRole("cell", { name: "Gaudy Night", exact: true })).toBeVisible();
  const kept = () =>
    page.evaluate(async () => (await (await caches.open("shelfwise-reader")).keys()).map(({ url }) => url));
  await expect.poll(async () => (await kept()).some((url) => url.endsWith("/api/stats"))).toBe(true);
  expect((await kept()).filter((url) => url.includes("titleSearch"))).toEqual([]);
});

test("a visitor who has seen the landing page alone has every page without a network", async ({ page, context }) => {
  await page.goto("/");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("A shelf that keeps count.");
  await context.setOffline(true);
  for (const [path, heading] of [
    ["/privacy", "Privacy Policy"],
    ["/dashboard", "Log in"],
    ["/", "A shelf that keeps count."],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
});

test("the program can be installed", async ({ page }) => {
  await page.goto("/");
  const address = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await page.request.get(address ?? "");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const { icons } = (await answer.json()) as { icons: { src: string; sizes: string }[] };
  for (const icon of icons) {
    const image = await page.request.get(icon.src);
    expect(image.headers()["content-type"]).toBe("image/png");
  }
  const worker = await page.request.get("/sw.js");
  expect(worker.headers()["content-type"]).toContain("javascript");
  expect(worker.headers()["cache-control"]).toContain("no-cache");
});
