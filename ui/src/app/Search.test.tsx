import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { NORA, renderAs } from "../test-reader";
import { pageServer } from "../test-server";
import Shell from "./Shell";

const HIT = {
  kind: "book",
  book: { id: 3, title: "Silence", author: "Shusaku Endo" },
  item: null,
  place: null,
  day: null,
  parts: [{ text: "Silence", hit: true }],
};

pageServer(
  "/tbr",
  http.get("*/api/search", () => HttpResponse.json({ data: [HIT], nextCursor: null, matching: 9 })),
  http.get("*/api/books/titles", () => HttpResponse.json({ data: [] })),
  http.get("*/api/tbr", () => HttpResponse.json({ data: [] })),
);

const field = () => screen.findByRole("searchbox", { name: "Search your library" });

it("a slash opens the search, but not where one types", async () => {
  renderAs(NORA, <Shell>{<input aria-label="Title" />}</Shell>);
  await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "AC/DC");
  expect(screen.queryByRole("dialog")).toBeNull();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("/");
  await userEvent.type(await field(), "silence");
  expect(await screen.findByText("9 results found")).toBeTruthy();
  await userEvent.keyboard("{ArrowDown}");
  expect(document.activeElement?.getAttribute("href")).toBe("/book/3");
  await userEvent.keyboard("{ArrowUp}{Enter}");
  expect(window.location.pathname + window.location.search).toBe("/search?q=silence");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("the button in the header opens it, too, and Escape returns to the button", async () => {
  renderAs(NORA, <Shell>{null}</Shell>);
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await field();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Search");
});
