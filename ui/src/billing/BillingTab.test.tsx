import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { CurrentSubscription } from "../kit/api/types";
import { ANSWERS, NORA, PLUS, READER, renderAs, toastSays } from "../test-reader";
import { BillingTab } from "./BillingTab";

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(current: CurrentSubscription, user = NORA) {
  server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json(current)));
  renderAs(user, <BillingTab />);
}

const PAID: CurrentSubscription = {
  ...PLUS,
  billingEnabled: true,
  subscription: {
    ...PLUS.subscription,
    source: "stripe",
    currentPeriodEnd: "2026-03-02T20:00:00Z",
    billingInterval: "annual",
  },
};

it("a server without payments says so, and names the person to ask", async () => {
  open(READER);
  expect(await screen.findByText(/This server takes no payments/)).toBeTruthy();
  expect((await screen.findByRole("link", { name: "ida@example.org" })).getAttribute("href")).toBe(
    "mailto:ida@example.org",
  );
  expect(screen.getByText("112 / 150")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Upgrade Plan" }).getAttribute("href")).toBe("/pricing");
  expect(screen.queryByRole("button", { name: "Cancel Subscription" })).toBeNull();
});

it("a plan that the operator set ends at once when it is cancelled", async () => {
  let sent: unknown;
  let teams = 0;
  server.use(
    http.post("*/api/subscriptions/cancel", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ subscription: READER.subscription });
    }),
    http.get("*/api/teams/current", () => {
      teams += 1;
      return HttpResponse.json({ team: null });
    }),
  );
  open(PLUS);
  expect((await screen.findByRole("link", { name: "Upgrade Plan" })).getAttribute("href")).toBe("/pricing");
  await userEvent.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(dialog.getByText(/ends at once/)).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel Subscription" }));
  await toastSays("Subscription canceled");
  expect(screen.getByText("Your subscription has been canceled immediately")).toBeTruthy();
  expect(sent).toEqual({ immediate: false });
  // What depends on the plan is fetched again.
  await waitFor(() => expect(teams).toBe(2));
});

it("billing is managed where the payment provider knows the customer, and not elsewhere", async () => {
  open(PAID, { ...NORA, stripeCustomerId: "cus_1" });
  expect(await screen.findByRole("button", { name: "Manage Billing" })).toBeTruthy();
  // A day of the reader's time zone: in the browser's it is the next one.
  expect(await screen.findByText("Mar 2, 2026")).toBeTruthy();
});

it("a failed payment is said at the top, with the way to the card beside it", async () => {
  let sent: unknown;
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => {});
  server.use(
    http.post("*/api/subscriptions/billing-portal", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ url: "https://billing.example.com/session" });
    }),
  );
  open({ ...PAID, subscription: { ...PAID.subscription, status: "past_due" } }, { ...NORA, stripeCustomerId: "cus_1" });
  expect(await screen.findByText(/The last payment failed. Check your card to keep Shelfwise Plus./)).toBeTruthy();
  const [first, ...others] = screen.getAllByRole("button", { name: "Manage Billing" });
  expect(others.length).toBe(1);
  if (first) await userEvent.click(first);
  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://billing.example.com/session"));
  expect(sent).toEqual({ returnUrl: window.location.href });
});

it("a team's price shows with its seats, and with the members who keep the plan", async () => {
  const offer = {
    plan: "shelfwise_team",
    annual: "$60",
    monthly: "$5.99",
    membersAnnual: 10,
    membersMonthly: 6,
    seatAnnual: "$10",
  };
  server.use(http.get("*/api/plans", () => HttpResponse.json({ data: [offer] })));
  const subscription = { ...PAID.subscription, plan: "shelfwise_team" } as const;
  open({ ...PAID, subscription, team: { memberCount: 9, seatLimit: 12 } });
  expect((await screen.findByText(/Annual, \$60 per year/)).textContent).toBe(
    "Annual, $60 per year and 2 seats at $10 each",
  );
  await userEvent.click(screen.getByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(await dialog.findByText(/^You and the 8 other members keep Shelfwise Team until Mar 2, 2026/)).toBeTruthy();
});

it.each(["stripe", "team"] as const)(
  "seats that invitations hold count as used, with a plan from %s",
  async (source) => {
    const usage = { currentMembers: 3, pendingInvitations: 2, seatLimit: 12, availableSeats: 7 };
    server.use(http.get("*/api/teams/seat-usage", () => HttpResponse.json({ usage })));
    const subscription = { ...PAID.subscription, plan: "shelfwise_team", source } as const;
    open({ ...PAID, subscription, team: { memberCount: 3, seatLimit: 12 } });
    expect(await screen.findByText("5 / 12 seats used")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Upgrade Plan" }).getAttribute("href")).toBe("/pricing");
  },
);

it("seats that can't be fetched are said to be so", async () => {
  open({ ...PAID, team: { memberCount: 3, seatLimit: 12 } });
  expect((await screen.findByText("could not be loaded")).closest("div")?.textContent).toContain("Team seats");
});

it.each([
  ["that a team gives", { source: "team" }],
  ["that is the server's default", { source: "default" }],
  ["whose payment failed", { source: "stripe", status: "past_due" }],
  ["that is cancelled already", { source: "stripe", cancelAtPeriodEnd: true }],
] as const)("a plan %s cannot be cancelled", async (_, change) => {
  open({ ...PAID, subscription: { ...PAID.subscription, ...change } });
  expect(await screen.findByText("Shelfwise Plus")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Cancel Subscription" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Manage Billing" })).toBeNull();
});
