import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Route } from "wouter";
import { ANSWERS, NORA, PLUS, PREFERENCES, READER, renderAs, toastSays } from "../test-reader";
import AccountPage from "./AccountPage";

const HERE = {
  id: 1,
  device: "Firefox on Linux",
  place: null,
  ipAddress: "192.0.2.1",
  createdAt: "2025-11-02T10:00:00Z",
  lastSeen: new Date().toISOString(),
  current: true,
};
const ELSEWHERE = {
  ...HERE,
  id: 2,
  device: "Safari on iOS",
  place: "Rotterdam, Netherlands",
  lastSeen: "2025-10-29T10:00:00Z",
  current: false,
};

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => server.use(http.get("*/api/auth/sessions", () => HttpResponse.json({ data: [HERE, ELSEWHERE] }))));
afterEach(() => {
  vi.useRealTimers();
  server.resetHandlers();
});
afterAll(() => server.close());

function open(tab: string) {
  window.history.replaceState(null, "", `/account?tab=${tab}`);
  renderAs(NORA, <Route path="/account" component={AccountPage} />);
}

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

it("the profile shows the plan with its status and renewal, premium when it is not Reader", async () => {
  const subscription = { ...PLUS.subscription, source: "stripe", currentPeriodEnd: "2026-03-02T12:00:00Z" };
  server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json({ ...PLUS, subscription })));
  open("profile");
  expect(await screen.findByText("Shelfwise Plus")).toBeTruthy();
  expect(screen.getByText("Premium")).toBeTruthy();
  // A day of the reader's time zone: in the browser's it is the next one.
  expect(await screen.findByText("renews Mar 2, 2026")).toBeTruthy();
});

it("API tokens are on Connections, and the profile has what signs the reader in", async () => {
  open("connections");
  expect(await screen.findByRole("region", { name: "API tokens" })).toBeTruthy();
  await userEvent.click(screen.getByRole("tab", { name: "Profile" }));
  expect(await screen.findByRole("region", { name: "Sessions" })).toBeTruthy();
  expect(screen.queryByRole("region", { name: "API tokens" })).toBeNull();
});

it.each([
  [true, 1],
  [false, 0],
])(
  "sessions and tokens speak of a password only where the server has passwords: %s",
  async (passwordLogin, sentences) => {
    server.use(http.get("*/api/site", () => HttpResponse.json({ signup: "open", passwordLogin })));
    open("profile");
    await screen.findByText(/^Where you are logged in\./);
    await waitFor(() => expect(screen.queryAllByText(/ Changing the password ends/)).toHaveLength(sentences));
    await userEvent.click(screen.getByRole("tab", { name: "Connections" }));
    await screen.findByText(/^For your own scripts\./);
    await waitFor(() => expect(screen.queryAllByText(/ When you change your password/)).toHaveLength(sentences));
  },
);

it("another session can be ended, this one has no such button", async () => {
  let ended: unknown;
  server.use(
    http.delete("*/api/auth/sessions/:id", ({ params }) => {
      ended = params.id;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open("profile");
  await press("End the session on Safari on iOS");
  await toastSays("Session ended");
  expect(ended).toBe("2");
  expect(screen.queryByRole("button", { name: /Firefox/ })).toBeNull();
  expect(screen.getByText("Rotterdam, Netherlands. Last seen Oct 29, 2025")).toBeTruthy();
});

it("a wrong password is said at its field, and a right one changes the address everywhere", async () => {
  let sent: unknown;
  const refusal = { error: "This is not your current password.", code: "wrong_password" };
  server.use(http.patch("*/api/account", () => HttpResponse.json(refusal, { status: 403 }), { once: true }));
  open("profile");
  await press("Change the email");
  await userEvent.type(screen.getByLabelText("New email"), "n@example.org");
  await userEvent.type(screen.getByLabelText("Current password"), "guess");
  await press("Change email");
  await screen.findByText(refusal.error);
  expect(screen.getByLabelText("Current password").getAttribute("aria-invalid")).toBe("true");

  server.use(
    http.patch("*/api/account", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ user: { ...NORA, email: "n@example.org" } });
    }),
  );
  await press("Change email");
  await toastSays("Email updated");
  expect(sent).toEqual({ email: "n@example.org", currentPassword: "guess" });
  expect(screen.getByText("n@example.org")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("a new name is fetched again where the team shows it", async () => {
  let fetched = 0;
  server.use(
    http.get("*/api/teams/current", () => {
      fetched += 1;
      return HttpResponse.json({ team: null });
    }),
    http.patch("*/api/account", () => HttpResponse.json({ user: { ...NORA, displayName: "Nora L." } })),
  );
  open("preferences");
  await screen.findByRole("heading", { name: "Reading" });
  await waitFor(() => expect(fetched).toBe(1));
  await userEvent.click(screen.getByRole("tab", { name: "Profile" }));
  await press("Edit the name");
  await userEvent.type(screen.getByLabelText("Display name"), "!");
  await press("Save");
  await toastSays("Name updated");
  await userEvent.click(screen.getByRole("tab", { name: "Preferences" }));
  await waitFor(() => expect(fetched).toBe(2));
});

it.each([true, false])("a new password takes tokens and providers along, unless that is unticked: %s", async (ends) => {
  let sent: unknown;
  server.use(
    http.get("*/api/account/identities", () => HttpResponse.json({ data: [], hasPassword: true })),
    http.post("*/api/account/password", async ({ request }) => {
      sent = await request.json();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open("profile");
  await press("Change the password");
  await userEvent.type(screen.getByLabelText("Current password"), "old shelf");
  await userEvent.type(screen.getByLabelText("New password"), "another shelf altogether");
  const also = screen.getByLabelText<HTMLInputElement>(
    "Also remove API tokens, secret links, device logins and connected providers",
  );
  expect(also.checked).toBe(true);
  if (!ends) await userEvent.click(also);
  await press("Change Password");
  await toastSays("Password updated");
  expect(sent).toEqual({
    currentPassword: "old shelf",
    newPassword: "another shelf altogether",
    endOtherAccess: ends,
  });
});

it("a new password fetches again what it may have removed, and the security events", async () => {
  const fetched: string[] = [];
  const list = ({ request }: { request: Request }) => {
    fetched.push(new URL(request.url).pathname);
    return HttpResponse.json({ data: [], hasPassword: true, nextCursor: null });
  };
  server.use(
    http.get("*/api/shares", list),
    http.get("*/api/auth/events", list),
    http.get("*/api/account/identities", list),
    http.get("*/api/site", () => HttpResponse.json({ signup: "open", shares: true })),
    http.post("*/api/account/password", () => new HttpResponse(null, { status: 204 })),
  );
  open("connections");
  await screen.findByText(/^No links yet\./);
  await userEvent.click(screen.getByRole("tab", { name: "Profile" }));
  await screen.findByText("Nothing in the last 90 days.");
  await press("Change the password");
  await userEvent.type(screen.getByLabelText("Current password"), "old shelf");
  await userEvent.type(screen.getByLabelText("New password"), "another shelf altogether");
  fetched.length = 0;
  await press("Change Password");
  await toastSays("Password updated");
  await waitFor(() => expect(fetched).toContain("/api/auth/events"));
  await userEvent.click(screen.getByRole("tab", { name: "Connections" }));
  await waitFor(() => expect(fetched).toContain("/api/shares"));
});

it("all data goes only after the number of books was typed", async () => {
  let erased = false;
  server.use(
    http.delete("*/api/account/data", () => {
      erased = true;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  open("profile");
  await screen.findByText("Removes 112 books and 3 TBR items. Your account stays.");
  localStorage.setItem("shelfwise.draft.1.edit.7", "{}");
  await press("Delete all data");
  const dialog = within(await screen.findByRole("alertdialog"));
  expect(document.activeElement).toBe(dialog.getByRole("button", { name: "Keep my data" }));
  expect(dialog.getByText(/, 3 TBR items, your goals and your secret links will be removed\./)).toBeTruthy();
  const confirm = dialog.getByRole<HTMLButtonElement>("button", { name: "Delete all data" });
  await userEvent.type(dialog.getByLabelText(/Type the number of books/), "11");
  expect(confirm.disabled).toBe(true);
  await userEvent.type(dialog.getByLabelText(/Type the number of books/), "2");
  await userEvent.click(confirm);
  await toastSays("Data deleted");
  expect([erased, localStorage.getItem("shelfwise.draft.1.edit.7")]).toEqual([true, null]);
});

it.each([
  ["the last operator is shown the way to make another", "last_operator", "You are the only operator", "Go to Users"],
  ["a team's owner is shown the way to hand it over", "team_has_members", "Hand over your team first", "Go to Team"],
])("%s", async (_, code, title, way) => {
  const refusal = { error: "Not yet.", code };
  server.use(http.delete("*/api/account", () => HttpResponse.json(refusal, { status: 409 })));
  open("profile");
  await press("Delete account");
  await userEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete account" }));
  expect((await screen.findByRole("alert")).textContent).toContain(title);
  expect(screen.getByRole("button", { name: way })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Delete account" })).toBeNull();
});

it.each([
  ["private", "stripe", false],
  ["public", "none", false],
  ["public", "stripe", true],
] as const)("on a %s server an account whose plan comes from %s has a subscription that ends: %s", async (...row) => {
  const [instance, source, ends] = row;
  const subscription = { ...READER.subscription, source };
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ signup: "open", instance })),
    http.get("*/api/subscriptions/current", () => HttpResponse.json({ ...READER, subscription })),
  );
  open("profile");
  await screen.findByText("Removes 112 books and 3 TBR items. Your account stays.");
  await press("Delete account");
  const dialog = within(screen.getByRole("alertdialog"));
  expect(dialog.queryByText(/, your subscription ends, and you will be logged out\./) !== null).toBe(ends);
});

it("a deleted account is logged out and back at the start", async () => {
  const calls: string[] = [];
  const gone = ({ request }: { request: Request }) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`);
    return new HttpResponse(null, { status: 204 });
  };
  server.use(http.delete("*/api/account", gone), http.post("*/api/auth/logout", gone));
  open("profile");
  await press("Delete account");
  await userEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete account" }));
  await waitFor(() => expect(window.location.pathname).toBe("/"));
  expect(calls).toEqual(["DELETE /api/account", "POST /api/auth/logout"]);
});

it("what was fetched before the payment was confirmed is fetched again with the plan", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let current = READER;
  let preferences = 0;
  server.use(
    http.get("*/api/subscriptions/current", () => HttpResponse.json(current)),
    http.get("*/api/preferences", () => {
      preferences += 1;
      return HttpResponse.json({ preferences: PREFERENCES });
    }),
  );
  window.history.replaceState(null, "", "/account?success=true");
  renderAs(NORA, <AccountPage />);
  expect(await screen.findByText(/^Your payment is being confirmed\./)).toBeTruthy();
  await waitFor(() => expect(preferences).toBe(1));
  current = PLUS;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await screen.findByText("Welcome to Shelfwise Plus")).toBeTruthy();
  await waitFor(() => expect(preferences).toBe(2));
});

it("coming back from the checkout is welcomed once the plan is there", async () => {
  window.history.replaceState(null, "", "/account?success=true");
  server.use(http.get("*/api/subscriptions/current", () => HttpResponse.json(PLUS)));
  renderAs(NORA, <AccountPage />);
  expect(await screen.findByText("Welcome to Shelfwise Plus")).toBeTruthy();
});
