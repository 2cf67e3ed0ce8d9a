import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { FromAnyPage } from "./FromAnyPage";

afterEach(() => vi.restoreAllMocks());

it("the bookmarklet opens Add to TBR with the page, and a press copies it", async () => {
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  render(<FromAnyPage />);
  const link = screen.getByRole("link", { name: "To my TBR" });
  const code = link.getAttribute("href") ?? "";
  document.title = "Orbital & others";
  new Function(code.replace(/^javascript:/, ""))();
  const [address = "", ...rest] = open.mock.calls[0] ?? [];
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    tab: "tbr",
    title: "Orbital & others",
    text: "",
    url: window.location.href,
  });
  expect(new URL(address).pathname).toBe("/add-book");
  expect(rest).toEqual(["_blank", "noopener"]);
  const person = userEvent.setup();
  await person.click(link);
  expect(await navigator.clipboard.readText()).toBe(code);
});
