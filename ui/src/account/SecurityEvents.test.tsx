import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ANSWERS, NORA, renderAs } from "../test-reader";
import { SecurityEvents } from "./SecurityEvents";

const event = (
  at: string,
  what: string,
  actor: string | null = NORA.email,
  address: string | null = "192.0.2.0/24",
) => ({
  at,
  actor,
  what,
  whom: NORA.email,
  address,
  device: address && "Firefox on Linux",
});
const PAGES = [
  {
    data: [
      event("2025-11-18T22:30:00Z", "logged_in"),
      event("2025-11-18T21:00:00Z", "login_failed", null),
      event("2025-11-17T09:00:00Z", "role_changed", "command line", null),
    ],
    nextCursor: "3",
  },
  { data: [event("2025-11-03T09:00:00Z", "passkey_renamed")], nextCursor: null },
];

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const rows = () =>
  screen.getAllByRole("listitem").map((item) => [...item.querySelectorAll("p")].map((p) => p.textContent));

it("each event says what happened, when, who else did it and from where; earlier events load on request", async () => {
  server.use(
    http.get("*/api/auth/events", ({ request }) => {
      const cursor = new URL(request.url).searchParams.get("cursor");
      return HttpResponse.json(PAGES[cursor === "3" ? 1 : 0]);
    }),
  );
  renderAs(NORA, <SecurityEvents />);
  // Shown in the reader's time zone once the preferences have loaded.
  await screen.findByText("Nov 18, 2025, 23:30");
  expect(rows()).toEqual([
    ["Nov 18, 2025, 23:30", "Logged in", "Firefox on Linux, 192.0.2.0/24"],
    ["Nov 18, 2025, 22:00", "Log-in failed", "Firefox on Linux, 192.0.2.0/24"],
    ["Nov 17, 2025, 10:00", "Role changed", "by the command line"],
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  // A kind that this version does not know is shown as its own name.
  expect(await screen.findByText("Passkey renamed")).toBeTruthy();
  const count = screen.getByText("4 events, kept for 90 days");
  await waitFor(() => expect(document.activeElement).toBe(count));
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

it("an account without events says so, and events that failed to load can be requested again", async () => {
  const busy = http.get("*/api/auth/events", () =>
    HttpResponse.json({ error: "Busy.", code: "busy" }, { status: 503, headers: { "Retry-After": "20" } }),
  );
  server.use(busy);
  renderAs(NORA, <SecurityEvents />);
  expect(await screen.findByText("The server is busy. Try again in 20 seconds.")).toBeTruthy();
  server.use(http.get("*/api/auth/events", () => HttpResponse.json({ data: [], nextCursor: null })));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Nothing in the last 90 days.")).toBeTruthy();
});
