import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Boundary } from "./Boundary";
import { type LazyComponent, lazyComponent, useLazyComponent } from "./lazyPage";

function Shown({ lazy, wanted }: { lazy: LazyComponent<object>; wanted?: boolean }) {
  const Component = useLazyComponent(lazy, wanted);
  return Component ? <Component /> : <p>On the way</p>;
}

const found = () => Promise.resolve({ default: () => <p>Here</p> });

it("code is fetched when it is wanted, and drawn at once where it is there", async () => {
  const load = vi.fn(found);
  const lazy = lazyComponent(load);
  const { rerender, unmount } = render(<Shown lazy={lazy} wanted={false} />);
  expect(load).not.toHaveBeenCalled();
  rerender(<Shown lazy={lazy} />);
  expect(screen.getByText("On the way")).toBeTruthy();
  expect(await screen.findByText("Here")).toBeTruthy();
  unmount();
  render(<Shown lazy={lazy} />);
  expect(screen.getByText("Here")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
});

it("code that can't be fetched is reported by the error boundary", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const lazy = lazyComponent<object>(() => Promise.reject(new Error("gone")));
  render(
    <Boundary>
      <Shown lazy={lazy} />
    </Boundary>,
  );
  expect(await screen.findByRole("heading", { name: "Something went wrong" })).toBeTruthy();
});
