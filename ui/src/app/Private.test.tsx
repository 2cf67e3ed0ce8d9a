import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { signedOut } from "../access/viewer";
import type { Site, User } from "../kit/api/types";
import { createQueryClient } from "../kit/query";
import { LockedFigure } from "../statistics/charts/LockedFigure";
import { ANSWERS, NORA, OF_PLANS, PLUS, PRIVATE, renderAs } from "../test-reader";
import { Routes } from "./Routes";

let site: Site;
/** Who the server's cookie says is here. */
let viewer: User | null;

const server = setupServer(
  http.get("*/api/site", () => HttpResponse.json(site)),
  http.get("*/api/auth/me", () =>
    viewer
      ? HttpResponse.json({ user: viewer })
      : HttpResponse.json({ error: "Sign in first.", code: "not_signed_in" }, { status: 401 }),
  ),
  http.get("*/api/auth/providers", () => HttpResponse.json({ data: [] })),
  http.get("*/api/auth/sessions", () => HttpResponse.json({ data: [] })),
  http.get("*/api/auth/events", () => HttpResponse.json({ data: [], nextCursor: null })),
  http.get("*/api/account/identities", () => HttpResponse.json({ data: [], hasPassword: true })),
  http.get("*/api/subscriptions/current", () =>
    HttpResponse.json({ ...PLUS, subscription: { ...PLUS.subscription, plan: "shelfwise_team", paid: false } }),
  ),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  site = PRIVATE;
  viewer = null;
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Opens the program at an address. */
function open(address: string) {
  window.history.replaceState(null, "", address);
  render(
    <QueryClientProvider client={createQueryClient(signedOut)}>
      <Routes />
    </QueryClientProvider>,
  );
}

// A page's code is read from the disk at its first use, which takes a busy machine a while.
const PATIENT = { timeout: 15_000 };
const heading = (name: string, level = 1) => screen.findByRole("heading", { level, name }, PATIENT);
const link = (name: string) => screen.queryByRole("link", { name });

/** Nothing on the page is about plans, also while it is fetched. */
function expectNoPlans() {
  expect(document.body.textContent).not.toMatch(OF_PLANS);
  for (const one of screen.queryAllByRole("link")) expect(one.getAttribute("href")).not.toBe("/pricing");
}

it.each(["/", "/login"])("a visitor of %s is shown the log-in page with the server's name", async (address) => {
  open(address);
  expect(document.body.textContent).not.toMatch(/Pricing|Sign up/);
  expect(await heading("The Okafor shelf")).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("Log in | The Okafor shelf"));
  expect(screen.getByText("A Shelfwise for friends and family.")).toBeTruthy();
  expect(screen.getByLabelText("Password")).toBeTruthy();
  expect(screen.getByText(/New readers come by invitation\./)).toBeTruthy();
  expect(link("Privacy")?.getAttribute("href")).toBe("/privacy");
  expect(link("Create an account")).toBeNull();
  expectNoPlans();
});

it("a private server without a name says Log in", async () => {
  site = { ...PRIVATE, name: null };
  open("/");
  expect(await heading("Log in")).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("Log in | Shelfwise"));
});

it.each([
  ["open", true],
  ["invite", false],
  ["closed", false],
] as const)("where sign-up is %s, pages lead to it: %s", async (signup, leads) => {
  site = { ...PRIVATE, signup };
  open("/privacy");
  expect(await heading("Privacy Policy")).toBeTruthy();
  expect(link("Sign up") !== null).toBe(leads);
  expect(link("Log in")).toBeTruthy();
  expectNoPlans();
});

it("where sign-up is open, the log-in page leads to it", async () => {
  site = { ...PRIVATE, signup: "open" };
  open("/");
  await heading("The Okafor shelf");
  expect(link("Create an account")?.getAttribute("href")).toBe("/signup");
  expect(screen.queryByText(/by invitation/)).toBeNull();
});

it("a public server has its landing page, with prices and the way to sign up", async () => {
  site = { ...PRIVATE, instance: "public", signup: "open" };
  open("/");
  expect(await heading("A shelf that keeps count.")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Pricing" })).toHaveLength(2);
  expect(link("Sign up")).toBeTruthy();
  for (const start of screen.getAllByRole("link", { name: "Get Started" }))
    expect(start.getAttribute("href")).toBe("/signup");
});

const leadsToSignUp = () => document.querySelector('a[href^="/signup"]') !== null;

it.each(["invite", "closed"] as const)(
  "the landing page leads to the log-in page where sign-up is %s",
  async (signup) => {
    site = { ...PRIVATE, instance: "public", signup };
    open("/");
    expect(await heading("A shelf that keeps count.")).toBeTruthy();
    expect(leadsToSignUp()).toBe(false);
    expect(document.body.textContent).not.toMatch(/Sign up|Get Started/);
    const logIn = screen.getAllByRole("link", { name: "Log in" });
    expect(logIn.map((one) => one.getAttribute("href"))).toEqual(["/login", "/login", "/login"]);
  },
);

it.each([
  ["open", true, false],
  ["invite", false, true],
  ["closed", false, false],
] as const)("the log-in page of a public server where sign-up is %s", async (signup, leads, invites) => {
  site = { ...PRIVATE, instance: "public", signup };
  open("/login");
  await heading("The Okafor shelf");
  expect(link("Create an account") !== null).toBe(leads);
  expect(leadsToSignUp()).toBe(leads);
  expect(screen.queryByText(/New readers come by invitation/) !== null).toBe(invites);
});

it("where a provider makes accounts, pages lead to the sign-up page also while sign-up by password is closed", async () => {
  site = { ...PRIVATE, instance: "public", signup: "closed", signupProviders: ["home"] };
  open("/");
  expect(await heading("A shelf that keeps count.")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Get Started" })).toHaveLength(2);
});

it.each([null, NORA])("there is no page about prices, for a visitor or a reader: %s", async (user) => {
  viewer = user;
  open("/pricing");
  expect(await heading("404 Page Not Found")).toBeTruthy();
  expectNoPlans();
});

it("the terms and the privacy policy speak of no payments, and are numbered without a gap", async () => {
  open("/terms");
  await heading("Terms of Service");
  expectNoPlans();
  expect(document.body.textContent).not.toMatch(/payment|refund|paid|plan\b/i);
  const numbers = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent?.split(".")[0]);
  expect(numbers).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
});

it("the privacy policy leaves payments out, unless the server can still reach a payment provider", async () => {
  open("/privacy");
  await heading("Privacy Policy");
  expect(document.body.textContent).not.toMatch(/payment|Stripe|plan\b/i);
  expect(screen.getByText(/Two kinds of company may be involved/)).toBeTruthy();
  expect(screen.getByText(/to run teams; to send the mail/)).toBeTruthy();
});

it("the profile names the server and the person who keeps it, and no plan", async () => {
  viewer = NORA;
  open("/account");
  expect(await screen.findByText("kept by Chidi Okafor", undefined, PATIENT)).toBeTruthy();
  expect(screen.getByText("The Okafor shelf")).toBeTruthy();
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
    "Profile",
    "Preferences",
    "Connections",
    "Log Out",
    "Terms",
  ]);
  expect(screen.queryByText(/Current plan|Shelfwise Team/)).toBeNull();
  expectNoPlans();
});

it("the address of the Billing tab opens the profile, also on the way back from a checkout", async () => {
  viewer = NORA;
  open("/account?tab=billing&success=true");
  expect(await screen.findByText("kept by Chidi Okafor", undefined, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/Welcome to/)).toBeNull();
});

it("no preference is locked, also while the plan is unknown", async () => {
  viewer = NORA;
  server.use(http.get("*/api/subscriptions/current", () => new Promise<never>(() => undefined)));
  open("/account?tab=preferences");
  const slider = await screen.findByRole<HTMLInputElement>("slider", { name: "Brightness" }, PATIENT);
  expect(slider.disabled).toBe(false);
  expectNoPlans();
});

it("a reader without a team is led to the team page, which offers to start one", async () => {
  viewer = NORA;
  open("/team");
  expect(await screen.findByRole("button", { name: "Start a Team" }, PATIENT)).toBeTruthy();
  expect(link("Team")?.getAttribute("aria-current")).toBe("page");
  expect(link("See the team plan")).toBeNull();
  expectNoPlans();
});

it("the operator's area has no plans: not of users, and not to try", async () => {
  viewer = { ...NORA, role: "admin" };
  server.use(
    http.get("*/api/admin/users", () =>
      HttpResponse.json({
        data: [
          {
            id: 2,
            displayName: "Rosa Ibarra",
            email: "rosa@example.org",
            role: "user",
            plan: "shelfwise_team",
            teamRole: null,
            disabled: false,
            createdAt: "2025-01-01T00:00:00Z",
            lastActive: null,
          },
        ],
        total: 1,
        matching: 1,
        nextCursor: null,
      }),
    ),
  );
  open("/admin?tab=users");
  expect(await screen.findByText("rosa@example.org", undefined, PATIENT)).toBeTruthy();
  expect(screen.queryByText(/shelfwise_team/)).toBeNull();
  expect(screen.queryByRole("columnheader", { name: "Plan" })).toBeNull();
  expect(screen.queryByRole("combobox", { name: "Plan" })).toBeNull();
  expect(screen.getByRole("combobox", { name: "Role" })).toBeTruthy();
  expectNoPlans();
});

it("the overview has no switch of plans", async () => {
  viewer = { ...NORA, role: "admin" };
  open("/admin");
  expect(await heading("Backups", 2)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Subscription Control" })).toBeNull();
  expectNoPlans();
});

it("an invitation leads a visitor to the log-in page instead of a page about Shelfwise", async () => {
  open("/invite/a-token");
  expect(await heading("Invitation")).toBeTruthy();
  expect(link("What is Shelfwise?")).toBeNull();
  expect(link("Log in")?.getAttribute("href")).toBe("/");
});

it("a chart that was locked before the server became private offers nothing to buy", async () => {
  renderAs(NORA, <LockedFigure chart="authors" className={undefined} />);
  await waitFor(() => expect(link("Upgrade")).toBeNull());
  expect(screen.queryByText("Premium")).toBeNull();
});

it("a server that can't say whether it is private counts as public", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ error: "Out of order." }, { status: 500 })));
  open("/privacy");
  expect(await heading("Privacy Policy")).toBeTruthy();
  expect(screen.getAllByRole("link", { name: "Pricing" })).toHaveLength(2);
});
