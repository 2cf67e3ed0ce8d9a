import { screen, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { Route } from "wouter";
import { ANSWERS, NORA, renderAs } from "../test-reader";
import AdminPage from "./AdminPage";

const FROM = { address: "192.0.2.0/24", device: "Firefox on Linux" };
const EVENTS = [
  { at: "2025-11-18T22:30:00Z", what: "role_changed", actor: "ida@example.org", whom: "rosa@example.org", ...FROM },
  { at: "2025-11-18T21:00:00Z", what: "logged_in", actor: "rosa@example.org", whom: "rosa@example.org", ...FROM },
  {
    at: "2025-11-17T09:00:00Z",
    what: "account_created",
    actor: "command line",
    whom: null,
    address: null,
    device: null,
  },
];

const server = setupServer(
  http.get("*/api/admin/events", () => HttpResponse.json({ data: EVENTS, nextCursor: null })),
  ...ANSWERS,
);
beforeAll(() => server.listen());
afterEach(() => vi.restoreAllMocks());
afterAll(() => server.close());

function open(isWide: boolean) {
  vi.spyOn(window, "matchMedia").mockImplementation(
    () => ({ matches: isWide, addEventListener: () => {}, removeEventListener: () => {} }) as unknown as MediaQueryList,
  );
  window.history.replaceState(null, "", "/admin?tab=events");
  renderAs({ ...NORA, role: "admin" }, <Route path="/admin" component={AdminPage} />);
}

it("operators see what happened, to which account, who did it and from where", async () => {
  open(true);
  // Shown in the operator's time zone once the preferences have loaded.
  await screen.findByText("Nov 18, 2025, 23:30");
  const table = within(await screen.findByRole("table", { name: "Security events" }));
  const rows = table.getAllByRole("row").slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ["Nov 18, 2025, 23:30", "Role changed", "rosa@example.org", "ida@example.org", "Firefox on Linux, 192.0.2.0/24"],
    ["Nov 18, 2025, 22:00", "Logged in", "rosa@example.org", "-", "Firefox on Linux, 192.0.2.0/24"],
    ["Nov 17, 2025, 10:00", "Account made by an operator", "-", "the command line", "-"],
  ]);
});

it("where a table has no room the events are rows of text", async () => {
  open(false);
  expect(await screen.findByText("By the command line")).toBeTruthy();
  expect(screen.getAllByRole("listitem")).toHaveLength(3);
});
