import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { ANSWERS, NORA, renderAs } from "../../test-reader";
import { aRead } from "../books/test-read";
import { ReadingNow } from "./ReadingNow";

const server = setupServer(
  http.get("*/api/books/:id/days", () => HttpResponse.json({ data: [] })),
  ...ANSWERS,
);
beforeAll(() => server.listen());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});
afterAll(() => server.close());

const DUNE = aRead({ status: "in-progress", dateCompleted: null, rating: null });

it("the strip has six books on a wide page, three on a phone, and a link to the others", () => {
  const titles = ["Dune", "Emma", "Kindred", "Momo", "Orlando", "Trust", "Ulysses"];
  const books = titles.map((title, at) => aRead({ id: at + 1, title, status: "in-progress", dateCompleted: null }));
  for (const [width, shown, more] of [
    [1280, 6, "1 more"],
    [390, 3, "4 more"],
  ] as const) {
    vi.stubGlobal("matchMedia", () => ({
      matches: width === 1280,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    const { unmount } = renderAs(NORA, <ReadingNow books={books} today="2025-11-18" blueOf={() => 1} />);
    expect(screen.getAllByRole("listitem")).toHaveLength(shown);
    expect(screen.getByRole("link", { name: more }).getAttribute("href")).toBe("/reading");
    unmount();
  }
});

it("a book is finished on the day on which the dialog is opened, also on a page from before midnight", async () => {
  vi.setSystemTime("2025-11-19T09:00Z");
  renderAs(NORA, <ReadingNow books={[DUNE]} today="2025-11-18" blueOf={() => 1} />);
  await userEvent.click(screen.getByRole("button", { name: "More for Dune" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Finish" }));
  expect(await screen.findByRole("textbox", { name: /^Finished on/ })).toHaveProperty("value", "Nov 19, 2025");
});
