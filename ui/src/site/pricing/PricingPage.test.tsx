import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { CurrentSubscription, Plan, PlanPrices, User } from "../../kit/api/types";
import { ANSWERS, NORA, PLUS, READER, renderAs, toastSays } from "../../test-reader";
import PricingPage from "./PricingPage";

const NOTHING = { bookLimit: null, saving: null, membersMonthly: null, membersAnnual: null };
const SEATS = { seatMonthly: null, seatAnnual: null };
const OFFERS: PlanPrices[] = [
  { ...NOTHING, ...SEATS, plan: "reader", name: "Reader", monthly: "$0", annual: "$0", bookLimit: 150 },
  {
    ...NOTHING,
    ...SEATS,
    plan: "shelfwise_plus",
    name: "Shelfwise Plus",
    monthly: "$2.99",
    annual: "$25",
    saving: "Save $11/year",
  },
  {
    ...NOTHING,
    plan: "shelfwise_team",
    name: "Shelfwise Team",
    monthly: "$5.99",
    annual: "$60",
    membersMonthly: 6,
    membersAnnual: 10,
    seatMonthly: "$0.99",
    seatAnnual: "$10",
  },
];

const server = setupServer(
  http.get("*/api/plans", () => HttpResponse.json({ data: OFFERS })),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => window.history.replaceState(null, "", "/pricing"));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(user: User | null, current: CurrentSubscription = READER) {
  server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json(current)));
  renderAs(user, <PricingPage />);
}

const card = async (name: string) => within(await screen.findByRole("region", { name }));
const PLANS = ["Reader", "Shelfwise Plus", "Shelfwise Team"];

/** The label of each card's button, with a minus before a disabled one. */
async function actions(): Promise<string[]> {
  const found = await Promise.all(PLANS.map(card));
  return found.map((one) => {
    const button = one.getByRole("button");
    return `${(button as HTMLButtonElement).disabled ? "-" : ""}${button.textContent}`;
  });
}

const on = (plan: Plan, billingEnabled: boolean): CurrentSubscription => ({
  ...PLUS,
  billingEnabled,
  subscription: { ...PLUS.subscription, plan },
});

it("a visitor sees annual prices first, and every action leads to the sign up", async () => {
  open(null);
  const team = await card("Shelfwise Team");
  expect(team.getByText("$60").nextSibling?.textContent).toBe("per year, including 10 members");
  expect(team.getByText("Each additional member $10 per year")).toBeTruthy();
  expect((await card("Shelfwise Plus")).getByText("Save $11/year")).toBeTruthy();
  for (const name of PLANS) {
    expect((await card(name)).getByRole("link").getAttribute("href")).toBe("/signup");
  }
  await userEvent.click(screen.getByRole("button", { name: "Monthly" }));
  expect(team.getByText("$5.99").nextSibling?.textContent).toBe("per month, including 6 members");
  expect(screen.queryByText("Save $11/year")).toBeNull();
});

it.each([
  ["reader", ["-Current Plan", "Upgrade Now", "Start a team"]],
  ["shelfwise_plus", ["-Downgrade", "-Current Plan", "Start a team"]],
  ["shelfwise_team", ["-Downgrade", "Downgrade to Plus", "-Current Plan"]],
] as const)("someone on %s may choose another plan", async (plan, expected) => {
  open(NORA, on(plan, true));
  await waitFor(async () => expect(await actions()).toEqual(expected));
});

it("where the server takes no payments it says so, and nothing can be bought", async () => {
  const site = { signup: "open", billing: false, operator: "Ida", contact: "ida@example.org" };
  server.use(http.get("*/api/site", () => HttpResponse.json(site)));
  open(NORA, on("reader", false));
  expect(await screen.findByText(/This server takes no payments/)).toBeTruthy();
  await waitFor(async () => expect(await actions()).toEqual(["-Current Plan", "-Upgrade Now", "-Start a team"]));
});

it("a member of a team sees which team the plan comes from, and can buy nothing", async () => {
  const team = { id: 1, name: "The Harbour Street Readers", role: "admin", members: [], invitations: [] };
  server.use(http.get("*/api/teams/current", () => HttpResponse.json({ team })));
  const current = on("shelfwise_team", true);
  open(NORA, { ...current, subscription: { ...current.subscription, source: "team" } });
  expect(await screen.findByText("The Harbour Street Readers")).toBeTruthy();
  expect(await actions()).toEqual(["-Downgrade", "-Downgrade to Plus", "-Current Plan"]);
});

it("an owner who was handed a team may pay for it from now on, under its name", async () => {
  let sent: { teamName?: string } = {};
  const team = { id: 1, name: "The Harbour Street Readers", role: "owner", members: [], invitations: [] };
  server.use(
    http.get("*/api/teams/current", () => HttpResponse.json({ team })),
    http.post("*/api/subscriptions/checkout", async ({ request }) => {
      sent = (await request.json()) as typeof sent;
      return HttpResponse.json({ error: "Not now.", code: "billing_unavailable" }, { status: 409 });
    }),
  );
  const current = on("shelfwise_team", true);
  open(NORA, { ...current, subscription: { ...current.subscription, source: "team" } });
  await waitFor(async () => expect(await actions()).toEqual(["-Downgrade", "-Downgrade to Plus", "Pay for the team"]));
  await userEvent.click(screen.getByRole("button", { name: "Pay for the team" }));
  await toastSays("Error");
  expect(sent.teamName).toBe("The Harbour Street Readers");
});

it("a team is named before its checkout, and a refused checkout gives the buttons back", async () => {
  let sent: unknown;
  server.use(
    http.post("*/api/subscriptions/checkout", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ error: "The shop is shut.", code: "already_subscribed" }, { status: 409 });
    }),
  );
  open(NORA, on("reader", true));
  await userEvent.click(await screen.findByRole("button", { name: "Start a team" }));
  const next = screen.getByRole<HTMLButtonElement>("button", { name: "Continue" });
  await userEvent.type(screen.getByLabelText("Team name"), "  ");
  expect(next.disabled).toBe(true);
  await userEvent.type(screen.getByLabelText("Team name"), "Tuesdays");
  await userEvent.click(next);
  await toastSays("Error");
  expect(screen.getByText("The shop is shut.")).toBeTruthy();
  expect(next.disabled).toBe(false);
  expect(sent).toEqual({
    plan: "shelfwise_team",
    billingInterval: "annual",
    teamName: "Tuesdays",
    successUrl: `${window.location.origin}/account?success=true`,
    cancelUrl: `${window.location.origin}/pricing?canceled=true`,
  });
});

it("a checkout that was left is said to have cost nothing", async () => {
  window.history.replaceState(null, "", "/pricing?canceled=true");
  open(NORA);
  expect(await screen.findByText("Checkout was canceled. Nothing was charged.")).toBeTruthy();
});
