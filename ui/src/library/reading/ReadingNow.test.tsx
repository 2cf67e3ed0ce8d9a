import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { NORA, renderAs } from "../../test-reader";
import { aRead } from "../book/test-read";
import { ReadingNow } from "./ReadingNow";

it("the first further book has the focus when all are shown", async () => {
  const titles = ["Dune", "Emma", "Kindred", "Momo", "Orlando", "Trust"];
  const books = titles.map((title, at) => aRead({ id: at + 1, title, status: "in-progress", dateCompleted: null }));
  renderAs(NORA, <ReadingNow books={books} today="2025-11-18" blueOf={() => 1} />);
  await userEvent.click(screen.getByRole("button", { name: "Show all 6" }));
  expect(document.activeElement).toBe(screen.getByRole("link", { name: "Orlando" }));
});
