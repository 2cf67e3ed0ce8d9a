import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Route } from "wouter";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import AccountPage from "./AccountPage";

const PASSWORD = "a shelf of my own";
const MADE = {
  token: {
    id: 7,
    name: "Sync",
    access: "read",
    createdAt: "2025-10-01T10:00:00Z",
    lastUsedAt: null,
    expiresAt: null,
  },
  secret: "shelfwise_secret",
};

/** Whether the server accepts the last confirmation. */
let confirmed = false;
/** The calls that need a confirmation, with their bodies, one entry for each attempt. */
let calls: string[] = [];
let hasPassword = true;

/** An answer that requires a confirmation. */
const guarded =
  (answer: () => Response) =>
  async ({ request }: { request: Request }) => {
    calls.push([request.method, new URL(request.url).pathname, await request.text()].filter(Boolean).join(" "));
    if (confirmed) return answer();
    return HttpResponse.json({ error: "Confirm that it is you.", code: "confirm_yourself" }, { status: 403 });
  };
const nothing = () => new HttpResponse(null, { status: 204 });

const server = setupServer(
  http.get("*/api/auth/sessions", () => HttpResponse.json({ data: [] })),
  http.get("*/api/auth/events", () => HttpResponse.json({ data: [], nextCursor: null })),
  http.get("*/api/auth/providers", () => HttpResponse.json({ data: [{ id: "github", name: "GitHub" }] })),
  http.get("*/api/account/identities", () => HttpResponse.json({ data: [], hasPassword })),
  http.post(
    "*/api/account/tokens",
    guarded(() => HttpResponse.json(MADE, { status: 201 })),
  ),
  http.delete("*/api/account", guarded(nothing)),
  http.post("*/api/account/password", guarded(nothing)),
  http.post("*/api/auth/logout", nothing),
  http.post("*/api/auth/confirm", async ({ request }) => {
    const { password } = (await request.json()) as { password: string };
    confirmed = password === PASSWORD;
    if (confirmed) return nothing();
    return HttpResponse.json({ error: "This is not your password.", code: "wrong_password" }, { status: 403 });
  }),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  confirmed = false;
  hasPassword = true;
  calls = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  server.resetHandlers();
});
afterAll(() => server.close());

function open(query = "") {
  window.history.replaceState(null, "", `/account${query}`);
  renderAs(
    NORA,
    <>
      <Route path="/account" component={AccountPage} />
      <Route path="/login">The login</Route>
      <Route path="/">The landing page</Route>
    </>,
  );
}

const TITLE = "Confirm it’s you";
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const dialog = async () => within(await screen.findByRole("dialog", { name: TITLE }));

async function confirmWith(password: string) {
  const asked = await dialog();
  const field = asked.getByLabelText("Your password");
  await userEvent.clear(field);
  await userEvent.type(field, password);
  await userEvent.click(asked.getByRole("button", { name: "Confirm" }));
}

async function makeToken() {
  await press("Create token");
  await userEvent.type(screen.getByLabelText("Name"), "Sync");
  await press("Create token");
}

it("a new token is made from the typed values once the password is right", async () => {
  open("?tab=connections");
  await makeToken();
  await confirmWith("guess");
  const asked = await dialog();
  expect(await asked.findByText("This is not your password.")).toBeTruthy();
  expect(asked.getByLabelText("Your password").getAttribute("aria-invalid")).toBe("true");
  await confirmWith(PASSWORD);
  expect(await screen.findByDisplayValue("shelfwise_secret")).toBeTruthy();
  const call = 'POST /api/account/tokens {"name":"Sync","access":"read","expiresInDays":null}';
  expect(calls).toEqual([call, call]);
});

it("a reader who cancels the confirmation keeps the form with its values", async () => {
  open("?tab=connections");
  await makeToken();
  await userEvent.click((await dialog()).getByRole("button", { name: "Cancel" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Confirm that it is you.");
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Sync");
  expect(calls).toHaveLength(1);
});

it("the account is deleted only after the confirmation", async () => {
  open();
  await press("Delete account");
  await userEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete account" }));
  await confirmWith(PASSWORD);
  expect(await screen.findByText("The landing page")).toBeTruthy();
  expect(calls).toEqual(["DELETE /api/account", "DELETE /api/account"]);
});

it("an account without a password is led to a new log-in, also for its first password", async () => {
  hasPassword = false;
  open();
  await press("Set a password");
  await userEvent.type(screen.getByLabelText("New password"), "another shelf altogether");
  await press("Set Password");
  const asked = await dialog();
  expect(asked.queryByLabelText("Your password")).toBeNull();
  await userEvent.click(asked.getByRole("button", { name: "Log Out and Log In Again" }));
  expect(await screen.findByText("The login")).toBeTruthy();
});

it("a new log-in asks before it removes text that is not saved", async () => {
  hasPassword = false;
  localStorage.setItem("shelfwise.draft.1.edit.7", "{}");
  open();
  await press("Set a password");
  await userEvent.type(screen.getByLabelText("New password"), "another shelf altogether");
  await press("Set Password");
  await userEvent.click((await dialog()).getByRole("button", { name: "Log Out and Log In Again" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(localStorage.getItem("shelfwise.draft.1.edit.7")).toBe("{}");
  await userEvent.click(question.getByRole("button", { name: "Log Out" }));
  expect(await screen.findByText("The login")).toBeTruthy();
  expect(localStorage.getItem("shelfwise.draft.1.edit.7")).toBeNull();
});

it("connecting a provider goes on where it was refused", async () => {
  const assign = vi.spyOn(window.location, "assign").mockImplementation(() => undefined);
  open("?error=confirm_yourself&provider=github");
  expect(await screen.findByText(/^You logged in a while ago\. .* then connect GitHub\.$/)).toBeTruthy();
  await press("Confirm and connect GitHub");
  expect(assign).not.toHaveBeenCalled();
  await confirmWith(PASSWORD);
  await waitFor(() => expect(assign).toHaveBeenCalledWith("/api/auth/oauth/github"));
});

it("a recent log-in needs no confirmation", async () => {
  confirmed = true;
  open("?tab=connections");
  await makeToken();
  expect(await screen.findByDisplayValue("shelfwise_secret")).toBeTruthy();
  await press("Done");
  await userEvent.click(screen.getByRole("tab", { name: "Profile" }));
  await press("Delete account");
  await userEvent.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete account" }));
  await toastSays("Account deleted");
  expect(calls).toHaveLength(2);
});
