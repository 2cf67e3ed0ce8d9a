import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
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
    currentPeriodEnd: "2026-03-02T00:00:00Z",
    billingInterval: "annual",
  },
};

it("a server without payments says so, and whom to ask", async () => {
  open(READER);
  expect(await screen.findByText(/This server takes no payments/)).toBeTruthy();
  expect((await screen.findByRole("link", { name: "ida@example.org" })).getAttribute("href")).toBe(
    "mailto:ida@example.org",
  );
  expect(screen.getByText("112 / 150")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Upgrade Plan" }).getAttribute("href")).toBe("/pricing");
  expect(screen.queryByRole("button", { name: "Cancel Subscription" })).toBeNull();
});

it("what the operator set ends at once when it is cancelled", async () => {
  let sent: unknown;
  server.use(
    http.post("*/api/subscriptions/cancel", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ subscription: READER.subscription });
    }),
  );
  open(PLUS);
  await userEvent.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(dialog.getByText(/ends at once/)).toBeTruthy();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel Subscription" }));
  await toastSays("Subscription canceled");
  expect(screen.getByText("Your subscription has been canceled immediately")).toBeTruthy();
  expect(sent).toEqual({ immediate: false });
});

it("billing is managed where the payment provider knows the customer, and not elsewhere", async () => {
  open(PAID, { ...NORA, stripeCustomerId: "cus_1" });
  expect(await screen.findByRole("button", { name: "Manage Billing" })).toBeTruthy();
  expect(screen.getByText("Mar 2, 2026")).toBeTruthy();
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
