import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Route, Router, Switch } from "wouter";
import { memoryLocation } from "wouter/memory-location";
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

it("another address shows its page after one that could not be shown", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { hook, navigate } = memoryLocation({ path: "/reading" });
  const gone = lazyComponent<object>(() => Promise.reject(new Error("gone")));
  const here = lazyComponent(found);
  render(
    <Router hook={hook}>
      <Boundary>
        <Switch>
          <Route path="/reading">
            <Shown lazy={gone} />
          </Route>
          <Route>
            <Shown lazy={here} />
          </Route>
        </Switch>
      </Boundary>
    </Router>,
  );
  await screen.findByRole("heading", { name: "Something went wrong" });
  act(() => navigate("/dashboard"));
  expect(await screen.findByText("Here")).toBeTruthy();
});
