import { fireEvent, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Route, Router, useLocation } from "wouter";

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

describe.each(["", "/books"])("below the path %o", (base) => {
  const here = () => window.location.pathname + window.location.search;

  // The base is read once, when the page has loaded.
  beforeEach(() => {
    vi.resetModules();
    document.documentElement.dataset.base = base;
    window.history.replaceState(null, "", `${base}/dashboard?genres=Classics`);
    localStorage.clear();
    return () => delete document.documentElement.dataset.base;
  });

  it("links and pages are below it, and the pages are named without it", async () => {
    const { Link } = await import("../kit/ui/Link");
    const { originPath } = await import("../kit/origin");
    const { BASE } = await import("../kit/base");
    const { useShownLocation } = await import("../kit/leaving");
    const Page = () => `The page ${useLocation()[0]}`;
    render(
      <Router base={BASE} hook={useShownLocation}>
        <Link href="/book/7">Emma</Link>
        <Route path="/book/:id">
          <Page />
        </Route>
      </Router>,
    );
    expect(screen.getByRole("link").getAttribute("href")).toBe(`${base}/book/7`);
    fireEvent.click(screen.getByRole("link"));
    expect(here()).toBe(`${base}/book/7`);
    expect(await screen.findByText("The page /book/7")).toBeTruthy();
    expect(originPath()).toBe("/dashboard");
  });

  it("a page opens in place of another, and leads back to an address, below it", async () => {
    const { leaveTo, navigate } = await import("../kit/origin");
    navigate("/search?q=emma", { replace: true });
    expect(here()).toBe(`${base}/search?q=emma`);
    leaveTo("/tbr");
    expect(here()).toBe(`${base}/tbr`);
  });

  it("calls, files and sign-in providers are below it, addresses elsewhere stay", async () => {
    const asked: string[] = [];
    server.use(
      http.all("*", ({ request }) => {
        asked.push(new URL(request.url).pathname);
        return HttpResponse.json({}, { headers: { "Shelfwise-Version": "1.0.0" } });
      }),
    );
    const { api } = await import("../kit/api/client");
    const { fetchFile, putFile, upload } = await import("../kit/api/upload");
    await api.get("/api/books/{id}", { path: { id: 7 } });
    await upload("/api/books/import", new FormData());
    await putFile("/api/books/{id}/cover", new Blob(), { path: { id: 7 } });
    await fetchFile("/api/lookup/cover", { source: "open-library", cover: "7" });
    const paths = ["/api/books/7", "/api/books/import", "/api/books/7/cover", "/api/lookup/cover"];
    expect(asked).toEqual(paths.map((path) => base + path));
    const { paths: addresses } = await import("../kit/paths");
    expect(addresses.oauth("google", { next: "/dashboard" })).toBe(`${base}/api/auth/oauth/google?next=%2Fdashboard`);
    const { withBase } = await import("../kit/base");
    expect(withBase("blob:https://books.example.org/7")).toBe("blob:https://books.example.org/7");
  });

  it("signing in leads back to a page without it, because the router puts it before", async () => {
    const { pageToReturnTo, rememberPage } = await import("../access/returning");
    rememberPage();
    expect(pageToReturnTo(1)).toBe("/dashboard?genres=Classics");
  });

  it("the browser keeps things under names of its own", async () => {
    const { draftKey } = await import("../access/drafts");
    const { entryKey } = await import("../access/outbox");
    const { chooseTheme } = await import("../kit/theme");
    expect(draftKey(1, "edit.7")).toBe(`shelfwise.draft${base}.1.edit.7`);
    expect(entryKey(1, 2, "k")).toBe(`shelfwise.outbox${base}.1.000000000000002.k`);
    chooseTheme("dark");
    expect(Object.keys(localStorage)).toEqual([`shelfwise-theme${base}`]);
  });
});
