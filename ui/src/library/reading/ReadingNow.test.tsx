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
  localStorage.clear();
});
afterAll(() => server.close());

const DUNE = aRead({ status: "in-progress", dateCompleted: null, rating: null });

it("the first further book has the focus when all are shown", async () => {
  const titles = ["Dune", "Emma", "Kindred", "Momo", "Orlando", "Trust"];
  const books = titles.map((title, at) => aRead({ id: at + 1, title, status: "in-progress", dateCompleted: null }));
  renderAs(NORA, <ReadingNow books={books} today="2025-11-18" blueOf={() => 1} />);
  await userEvent.click(screen.getByRole("button", { name: "Show all 6" }));
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Orlando" }));
});

it("a book is finished on the day on which the dialog is opened, also on a page from before midnight", async () => {
  vi.setSystemTime("2025-11-19T09:00Z");
  renderAs(NORA, <ReadingNow books={[DUNE]} today="2025-11-18" blueOf={() => 1} />);
  await userEvent.click(screen.getByRole("button", { name: "Finished: Dune" }));
  expect(await screen.findByRole("textbox", { name: /^Finished on/ })).toHaveProperty("value", "2025-11-19");
});
