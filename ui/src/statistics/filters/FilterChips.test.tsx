import { render, screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { FilterChips } from "./FilterChips";
import { type Filter, UNFILTERED } from "./filter";

const chips = (filter: Partial<Filter>) => (
  <FilterChips
    filter={{ ...UNFILTERED, ...filter }}
    isFiltered
    today="2026-11-12"
    onChange={vi.fn()}
    onReset={vi.fn()}
    matching={1}
    visible={2}
  />
);

it("a genre and a tag of one name each have a chip", () => {
  const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => complaints.mockRestore());
  const { rerender } = render(chips({ genres: ["fantasy"], tags: ["fantasy"] }));
  expect(screen.getAllByText("fantasy")).toHaveLength(2);
  rerender(chips({ tags: ["fantasy"] }));
  expect(screen.getAllByText("fantasy")).toHaveLength(1);
  expect(complaints).not.toHaveBeenCalled();
});
