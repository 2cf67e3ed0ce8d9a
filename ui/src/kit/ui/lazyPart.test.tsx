import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Suspense, useState } from "react";
import { expect, it, vi } from "vitest";
import { toastSays } from "../../test-reader";
import { lazyDialog, lazyPart, lazyWithin } from "./lazyPart";
import { ToastHost } from "./ToastHost";

it("a part whose code does not arrive leaves the page, and can be tried again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn<() => Promise<() => React.ReactNode>>();
  load.mockRejectedValueOnce(new Error("gone"));
  load.mockResolvedValue(() => <p>Here</p>);
  const Part = lazyPart(load);
  render(
    <>
      <p>The page</p>
      <Part />
    </>,
  );
  expect((await screen.findByRole("alert")).textContent).toContain("This could not be opened.");
  expect(screen.getByText("The page")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Here")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("a part that is opened again after a failure is fetched again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn<() => Promise<() => React.ReactNode>>();
  load.mockRejectedValueOnce(new Error("gone"));
  load.mockResolvedValue(() => <p>Here</p>);
  const Part = lazyPart(load);
  const { unmount } = render(<Part />);
  await screen.findByRole("alert");
  unmount();
  render(<Part />);
  expect(await screen.findByText("Here")).toBeTruthy();
});

it("a part within a page shows what stands for it meanwhile, and what failed in its place", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn<() => Promise<() => React.ReactNode>>();
  load.mockRejectedValueOnce(new Error("gone"));
  const Part = lazyWithin(load);
  render(
    <>
      <p>The page</p>
      <Suspense fallback={<p>On the way</p>}>
        <Part />
      </Suspense>
    </>,
  );
  expect(screen.getByText("On the way")).toBeTruthy();
  expect((await screen.findByRole("alert")).textContent).toContain("This could not be opened.");
  expect(screen.getByText("The page")).toBeTruthy();
});

it("a dialog whose code does not arrive says so and closes, so that its button tries again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const load = vi.fn<() => Promise<(props: { onClose: () => void }) => React.ReactNode>>();
  load.mockRejectedValueOnce(new Error("gone"));
  load.mockResolvedValue(() => <p>Here</p>);
  const Dialog = lazyDialog(load);
  function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        {isOpen && <Dialog onClose={() => setOpen(false)} />}
        <ToastHost />
      </>
    );
  }
  render(<Page />);
  const button = screen.getByRole("button", { name: "Open" });
  await userEvent.click(button);
  await toastSays("This could not be opened");
  expect(screen.queryByText("Try again")).toBeNull();
  await userEvent.click(button);
  expect(await screen.findByText("Here")).toBeTruthy();
});
