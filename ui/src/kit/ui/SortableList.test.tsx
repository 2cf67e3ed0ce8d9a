import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SortableList } from "./SortableList";

afterEach(() => vi.restoreAllMocks());

const shown = () => screen.getAllByRole("listitem").map((row) => row.getAttribute("data-id"));

test("a moved row is scrolled to when it stands at its new place, not when its list comes anew before", () => {
  const list = (...ids: number[]) => (
    <SortableList
      items={ids.map((id) => ({ id }))}
      nameOf={({ id }) => `Book ${id}`}
      onReorder={() => {}}
      rowHeight={window.innerHeight}
    >
      {({ id }, { moveDown }) => (
        <button type="button" onClick={moveDown}>
          Move {id} down
        </button>
      )}
    </SortableList>
  );
  vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(3 * window.innerHeight);
  const { rerender } = render(list(1, 2, 3));
  const scrolledTo: unknown[] = [];
  vi.spyOn(window, "scrollTo").mockImplementation((place) => scrolledTo.push([place, shown()]));
  fireEvent.click(screen.getByText("Move 1 down"));
  rerender(list(1, 2, 3));
  rerender(list(2, 1, 3));
  rerender(list(2, 1, 3));
  expect(scrolledTo).toEqual([[expect.objectContaining({ top: window.innerHeight }), ["2", "1", "3"]]]);
});

test("a row that is moved beyond the shown ones asks for more of them", () => {
  const onShow = vi.fn();
  const onReorder = vi.fn();
  render(
    <SortableList
      items={[1, 2, 3].map((id) => ({ id }))}
      nameOf={({ id }) => `Book ${id}`}
      onReorder={onReorder}
      rowHeight={64}
      shown={2}
      onShow={onShow}
    >
      {({ id }, { moveDown }) => (
        <button type="button" onClick={moveDown}>
          Move {id} down
        </button>
      )}
    </SortableList>,
  );
  expect(shown()).toEqual(["1", "2"]);
  fireEvent.click(screen.getByText("Move 1 down"));
  expect(onShow).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText("Move 2 down"));
  expect(onReorder).toHaveBeenLastCalledWith([1, 3, 2]);
  expect(onShow).toHaveBeenCalledWith(3);
});
