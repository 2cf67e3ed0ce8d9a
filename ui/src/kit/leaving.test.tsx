import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Router, useLocation, useSearch } from "wouter";
import { guardLeaving, useShownLocation, useShownSearch } from "./leaving";

function Address() {
  const [path] = useLocation();
  return <p>{`${path}?${useSearch()}`}</p>;
}

it("what is drawn while a step back is taken back still shows the changed form", async () => {
  window.history.pushState(null, "", "/dashboard?year=2025");
  window.history.pushState(null, "", "/add-book?tab=edit");
  const unguard = guardLeaving({ isChanged: () => true, ask: () => undefined });
  const page = () => (
    <Router hook={useShownLocation} searchHook={useShownSearch}>
      <Address />
    </Router>
  );
  const { rerender } = render(page());
  // The browser is between the two steps until it is let go on.
  const go = vi.spyOn(window.history, "go").mockImplementation(() => undefined);
  window.history.back();
  await vi.waitFor(() => expect(go).toHaveBeenCalledWith(1));
  expect(window.location.pathname).toBe("/dashboard");
  rerender(page());
  expect(screen.getByText("/add-book?tab=edit")).toBeTruthy();
  go.mockRestore();
  unguard();
  await act(async () => window.history.go(1));
  await vi.waitFor(() => expect(window.location.pathname).toBe("/add-book"));
});
