import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Route } from "wouter";
import { ANSWERS, NORA, PLUS, renderAs, toastSays } from "../test-reader";
import AdminPage from "./AdminPage";

const OPERATOR = { ...NORA, role: "admin" as const };

const SYSTEM = {
  loadStatus: "green",
  loadIndicator: { current: 61, average: 49.9 },
  activeSessions: 118,
  requestVolume: { total: 3_128_440, last_hour: 3_661, last_day: 71_906 },
};
const USERS = {
  totalUsers: 1_846,
  newUsers: { day: 7, week: 41, month: 163 },
  retention: { total: 1_846, active_1d: 580, active_7d: 1_074 },
  inactiveNewUsers: 22,
  becameInactive: 96,
};
const BACKUPS = {
  data: [
    { name: "shelfwise-20251117T030000Z.db", createdAt: "2025-11-17T02:00:00Z", bytes: 43_000_000, verified: true },
    { name: "shelfwise-20251118T030000Z.db", createdAt: "2025-11-18T02:00:00Z", bytes: 43_830_477, verified: true },
  ],
  nextAt: "2025-11-19T02:00:00Z",
};
const HEALTH = {
  checks: [
    { name: "database", ok: true, sentence: "The database can be written.", since: "2025-11-18T02:00:00Z" },
    {
      name: "disk_space",
      ok: false,
      sentence: "The disk of the data folder has 210 MB left.",
      since: "2025-11-18T06:30:00Z",
    },
    { name: "backup", ok: true, sentence: "The last backup is from Nov 18.", since: null },
  ],
  version: "0.2.0",
  schema: 15,
  startedAt: "2025-11-10T07:00:00Z",
};
const towns = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    city: `Town ${i + 1}`,
    country: "Norway",
    unique_users: 30 - i,
    count: 99,
  }));

const server = setupServer(...ANSWERS);
const answer = (path: string, body: object) =>
  server.use(http.get(`*/api/admin/${path}`, () => HttpResponse.json(body)));
beforeAll(() => server.listen());
beforeEach(() => {
  window.history.replaceState(null, "", "/admin");
  answer("analytics/system", SYSTEM);
  answer("analytics/users", USERS);
  answer("analytics/location", { available: true, locations: towns(22) });
  answer("analytics/devices", { devices: [] });
  answer("backups", BACKUPS);
  answer("health", HEALTH);
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ planSwitcher: true })),
    http.get("*/api/subscriptions/current", () => HttpResponse.json(PLUS)),
  );
});
afterEach(() => {
  vi.useRealTimers();
  server.resetHandlers();
});
afterAll(() => server.close());

function open() {
  renderAs(OPERATOR, <Route path="/admin" component={AdminPage} />);
}

const region = (name: string) => within(screen.getByRole("region", { name }));
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("the load is shown as a word and as figures", async () => {
  open();
  await screen.findByText("Balanced");
  const load = region("System Load");
  for (const text of ["61", "requests a minute, 49.9 on average", "118", "3,661", "71,906", "3,128,440"]) {
    expect(load.getByText(text)).toBeTruthy();
  }
});

it.each([
  ["orange", "Underutilized"],
  ["red", "High load"],
])("a load that is %s is called %s", async (loadStatus, word) => {
  answer("analytics/system", { ...SYSTEM, loadStatus });
  open();
  expect(await screen.findByText(word)).toBeTruthy();
});

it("the load is asked for every 10 seconds, the rest every 30, and the focus stays where it is", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked = { system: 0, users: 0 };
  server.use(
    http.get("*/api/admin/analytics/system", () => {
      asked.system += 1;
      return HttpResponse.json({ ...SYSTEM, activeSessions: 100 + asked.system });
    }),
    http.get("*/api/admin/analytics/users", () => {
      asked.users += 1;
      return HttpResponse.json(USERS);
    }),
  );
  open();
  await screen.findByText("101");
  const button = screen.getByRole("button", { name: "View More: User Insights" });
  button.focus();
  await vi.advanceTimersByTimeAsync(10_000);
  await screen.findByText("102");
  expect(asked.users).toBe(1);
  await vi.advanceTimersByTimeAsync(21_000);
  await waitFor(() => expect(asked.users).toBe(2));
  expect(document.activeElement).toBe(button);
});

it("a failing check shows at once; the others follow on request", async () => {
  open();
  await screen.findByText("1 failing");
  const health = region("Health");
  expect(
    await health.findByText("The disk of the data folder has 210 MB left. Since Nov 18, 2025, 07:30."),
  ).toBeTruthy();
  expect(health.getByText("2 checks passed.")).toBeTruthy();
  expect(health.queryByText("The database can be written.")).toBeNull();
  await press("View More: Health");
  const titles = health.getAllByRole("listitem").map((item) => item.textContent);
  expect(titles.map((title) => title?.split(" ")[0])).toEqual(["Disk", "Database", "Backup"]);
  expect(health.getByText("0.2.0")).toBeTruthy();
  expect(health.getByText("schema 15")).toBeTruthy();
  expect(health.getByText("Nov 10, 2025, 08:00")).toBeTruthy();
});

it("an operator sends a test e-mail and sees where it went, or why it did not", async () => {
  const error = "The e-mail was not sent: the mail server refused it with 535.";
  let isRefused = false;
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ mail: true })),
    http.post("*/api/admin/test-email", () =>
      isRefused
        ? HttpResponse.json({ error, code: "mail_unavailable" }, { status: 503 })
        : HttpResponse.json({ to: "nora@example.org" }),
    ),
  );
  open();
  await press("View More: Health");
  await press("Send me a test e-mail");
  await toastSays("It is on its way to nora@example.org.");
  isRefused = true;
  await press("Send me a test e-mail");
  expect(await region("Health").findByText(error)).toBeTruthy();
});

it("a server without mail offers no test e-mail", async () => {
  open();
  await press("View More: Health");
  expect(region("Health").queryByRole("button", { name: "Send me a test e-mail" })).toBeNull();
});

it("a server without a failing check is well", async () => {
  answer("health", { ...HEALTH, checks: HEALTH.checks.filter(({ ok }) => ok) });
  open();
  expect(await screen.findByText("All well")).toBeTruthy();
  expect(region("Health").queryAllByRole("listitem")).toEqual([]);
});

it("figures that were loaded once stay when they can't be loaded again, and say that they are old", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open();
  await screen.findByText("Balanced");
  server.use(http.get("*/api/admin/analytics/system", () => HttpResponse.json({ error: "Down." }, { status: 503 })));
  await vi.advanceTimersByTimeAsync(12_000);
  expect(await region("System Load").findByText(/These figures may be out of date/)).toBeTruthy();
  expect(screen.getByText("Balanced")).toBeTruthy();
});

it("figures that were never loaded say so, and can be requested again", async () => {
  const broken = http.get("*/api/admin/analytics/users", () => HttpResponse.json({ error: "Down." }, { status: 500 }));
  server.use(broken);
  open();
  await screen.findByText("The figures about users could not be loaded.");
  answer("analytics/users", USERS);
  await press("Try again");
  expect(await screen.findByText("New This Month")).toBeTruthy();
});

it("View More adds retention and inactivity, View Less takes them away", async () => {
  open();
  await press("View More: User Insights");
  const insights = region("User Insights");
  for (const label of ["1-Day Retention", "7-Day Retention", "Inactive New Users", "Became Inactive"]) {
    expect(insights.getByText(label)).toBeTruthy();
  }
  expect(await insights.findByText("580 active")).toBeTruthy();
  await press("View Less: User Insights");
  expect(insights.queryByText("1-Day Retention")).toBeNull();
});

it("a list shows 5 entries, 20 when expanded, never more", async () => {
  open();
  await screen.findByText("Town 1");
  const places = region("Location Analytics");
  expect(places.getAllByRole("listitem")).toHaveLength(5);
  await press("View More: Location Analytics");
  expect(places.getAllByRole("listitem")).toHaveLength(20);
});

it("nothing yet is said in words, without anything to view more of", async () => {
  answer("analytics/location", { available: true, locations: [] });
  open();
  expect(await screen.findByText("No location data available yet")).toBeTruthy();
  expect(await screen.findByText("No device data available yet")).toBeTruthy();
  expect(screen.queryByText(/GeoIP/)).toBeNull();
  expect(screen.queryByRole("button", { name: "View More: Location Analytics" })).toBeNull();
});

it("without a GeoIP file the places say what they need", async () => {
  answer("analytics/location", { available: false, locations: [] });
  open();
  expect(await screen.findByText(/GeoIP database file, named in the config under geoip_database/)).toBeTruthy();
});

it("the last backup, the next, and how many are kept", async () => {
  open();
  await screen.findByText("Checked");
  const backups = region("Backups");
  expect(await backups.findByText("Nov 18, 2025, 03:00")).toBeTruthy();
  expect(backups.getByText("41.8 MB")).toBeTruthy();
  expect(backups.getByText("Nov 19, 2025, 03:00")).toBeTruthy();
  expect(backups.getByText("2, the oldest of Nov 17, 2025")).toBeTruthy();
  await press("View More: Backups");
  expect(backups.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    expect.stringContaining("shelfwise-20251118"),
    expect.stringContaining("shelfwise-20251117"),
  ]);
});

it("without a schedule the page says how to set one", async () => {
  answer("backups", { data: [], nextAt: null });
  open();
  const line = within(await screen.findByText(/No schedule is set/));
  expect(line.getByRole("link", { name: "Server" }).getAttribute("href")).toBe("/admin?tab=server");
  expect(region("Backups").getByText(/shelfwise backup create/)).toBeTruthy();
});

it("the operator's own plan is switched; the present one is disabled", async () => {
  let plan = "shelfwise_plus";
  server.use(
    http.post("*/api/admin/toggle-subscription", async ({ request }) => {
      ({ plan } = (await request.json()) as { plan: string });
      return HttpResponse.json({ message: "You are on reader now." });
    }),
    http.get("*/api/subscriptions/current", () =>
      HttpResponse.json({ ...PLUS, subscription: { ...PLUS.subscription, plan } }),
    ),
  );
  open();
  const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  await screen.findByRole("region", { name: "Subscription Control" });
  await waitFor(() => expect(button("reader").disabled).toBe(false));
  expect(button("shelfwise_plus").disabled).toBe(true);
  await press("reader");
  await toastSays("Plan switched");
  expect(screen.getByText("You are on reader now.")).toBeTruthy();
  await waitFor(() => expect(button("reader").disabled).toBe(true));
  expect(button("shelfwise_plus").disabled).toBe(false);
});

it("a switch that fails says why", async () => {
  const refusal = { error: "You are a member of someone else's team.", code: "in_a_team" };
  server.use(http.post("*/api/admin/toggle-subscription", () => HttpResponse.json(refusal, { status: 409 })));
  open();
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "reader" }).disabled).toBe(false));
  await press("reader");
  await toastSays("Error");
  expect(screen.getByText(refusal.error)).toBeTruthy();
});

it("where the switcher is off it is not there", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ planSwitcher: false })));
  open();
  await screen.findByText("Balanced");
  await screen.findByText("Checked");
  expect(screen.queryByRole("region", { name: "Subscription Control" })).toBeNull();
});

it("a link to a new password needs a confirmation, which the page asks for", async () => {
  window.history.replaceState(null, "", "/admin?tab=users");
  let confirmed = false;
  const rosa = { id: 2, displayName: "Rosa Ibarra", email: "rosa@example.org", role: "user", plan: "reader" };
  const listed = { ...rosa, teamRole: null, disabled: false, createdAt: "2025-01-01T00:00:00Z", lastActive: null };
  answer("users", { data: [listed], total: 1, matching: 1, nextCursor: null });
  answer("invitations", { data: [] });
  server.use(
    http.get("*/api/account/identities", () => HttpResponse.json({ data: [], hasPassword: true })),
    http.post("*/api/auth/confirm", () => {
      confirmed = true;
      return new HttpResponse(null, { status: 204 });
    }),
    http.post("*/api/admin/users/2/reset-link", () =>
      confirmed
        ? HttpResponse.json({ url: "https://books.example.org/reset-password/link" })
        : HttpResponse.json({ error: "Confirm that it is you.", code: "confirm_yourself" }, { status: 403 }),
    ),
  );
  renderAs(OPERATOR, <AdminPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Rosa Ibarra" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Password link" }));
  await userEvent.type(await screen.findByLabelText("Your password"), "a shelf of my own");
  await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await screen.findByDisplayValue("https://books.example.org/reset-password/link");
});
