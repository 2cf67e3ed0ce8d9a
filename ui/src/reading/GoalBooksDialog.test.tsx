import { screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it } from "vitest";
import { aRead } from "../library/books/test-read";
import { NORA, renderAs } from "../test-reader";
import { pageServer } from "../test-server";
import { GoalBooksDialog } from "./GoalBooksDialog";

const GOAL = {
  period: "2025",
  metric: "pages",
  target: 4_000,
  rereads: true,
  value: 1,
  expected: 40,
  ahead: -39,
  remaining: 3_999,
  inHand: null,
  withoutPages: 1,
} as const;

const book = (id: number, title: string, pages: number | null) =>
  aRead({ id, title, pages, dateCompleted: "2025-02-01" });

pageServer(
  "/reading",
  http.get("*/api/goals/2025/pages/books", () =>
    HttpResponse.json({ data: [book(1, "Ozymandias", 1), book(2, "Emma", 1_474), book(3, "Kim", null)], hidden: 0 }),
  ),
);

it("the books of a goal of pages stand with their pages", async () => {
  renderAs(NORA, <GoalBooksDialog goal={GOAL} today="2025-02-10" onClose={() => {}} />);
  expect(await screen.findByText("Feb 1, 2025, 1 page")).toBeTruthy();
  expect(screen.getByText("Feb 1, 2025, 1,474 pages")).toBeTruthy();
  expect(screen.getByText("Feb 1, 2025, no pages")).toBeTruthy();
});
