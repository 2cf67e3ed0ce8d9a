import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Boundary } from "./Boundary";
import { type Late, late, useLate } from "./lazyPage";

function Shown({ one, wanted }: { one: Late<object>; wanted?: boolean }) {
  const Component = useLate(one, wanted);
  return Component ? <Component /> : <p>On the way</p>;
}

const found = () => Promise.resolve({ default: () => <p>Here</p> });

it("code is fetched when it is wanted, and drawn at once where it is there", async () => {
  const load = vi.fn(found);
  const one = late(load);
  const { rerender, unmount } = render(<Shown one={one} wanted={false} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Shown one={one} />);
  expect(screen.getByText("On the way")).toBeTruthy();
  expect(await screen.findByText("Here")).toBeTruthy();
  unmount();
  render(<Shown one={one} />);
  expect(screen.getByText("Here")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

it("code that can't be fetched is told by the boundary", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const one = late<object>(() => Promise.reject(new Error("gone")));
  render(
    <Boundary>
      <Shown one={one} />
    </Boundary>,
  );
  expect(await screen.findByRole("heading", { name: "Something went wrong" })).toBeTruthy();
});
