import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { ShelfBook } from "../../kit/api/types";
import { described, ShelfList } from "./ShelfList";

const BOOKS: ShelfBook[] = ["Emma", "Dune", "Circe"].map((title, i) => ({
  id: i + 1,
  title,
  author: "Somebody",
  wordCount: 90_000,
  rating: 8,
  format: "Print",
  genres: ["Classics"],
  startDate: null,
  date: "2024-06-16",
  completedFrom: null,
  reread: false,
}));

const onFocus = vi.fn();
const neighbourOf = vi.fn((id: number, way: "up" | "down") => (way === "down" && id === 1 ? 3 : null));
beforeEach(() => vi.clearAllMocks());

function show(visible: boolean) {
  render(
    <ShelfList
      books={BOOKS}
      visible={visible}
      hrefOf={({ id }) => `/add-book?tab=edit&bookId=${id}`}
      label="Books on the shelf, oldest first."
      describe={described}
      neighbourOf={neighbourOf}
      onFocus={onFocus}
      onBlur={() => undefined}
    />,
  );
  return { user: userEvent.setup(), link: (name: RegExp) => screen.getByRole("link", { name }) };
}

it("behind the drawing the shelf is one stop of the Tab key", async () => {
  const { user, link } = show(false);
  await user.tab();
  expect(document.activeElement).toBe(link(/^Emma/));
  await user.tab();
  expect(document.activeElement).toBe(document.body);
});

it("arrows walk along the shelf and between shelves, Home and End go to its ends", async () => {
  const { user, link } = show(false);
  await user.tab();
  await user.keyboard("{ArrowRight}");
  expect(document.activeElement).toBe(link(/^Dune/));
  await user.keyboard("{End}{ArrowRight}");
  expect(document.activeElement).toBe(link(/^Circe/));
  await user.keyboard("{Home}{ArrowDown}");
  expect(document.activeElement).toBe(link(/^Circe/));
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement).toBe(link(/^Circe/));
  expect(onFocus).toHaveBeenLastCalledWith(3);
});

it("Tab comes back to the book it left", async () => {
  const { user, link } = show(false);
  await user.tab();
  await user.keyboard("{ArrowRight}");
  await user.tab();
  await user.tab({ shift: true });
  expect(document.activeElement).toBe(link(/^Dune/));
});

it("as an index every book is a stop, and no spine is lifted", async () => {
  const { user, link } = show(true);
  await user.tab();
  await user.tab();
  expect(document.activeElement).toBe(link(/^Dune/));
  expect(onFocus).not.toHaveBeenCalled();
});

it("each book is described in full", () => {
  const undated: ShelfBook = { ...BOOKS[0], date: null, rating: null, reread: true } as ShelfBook;
  expect(described(undated)).toBe("Somebody, no date, Classics, Print, reread");
});
