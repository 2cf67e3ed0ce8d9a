import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { signedOut } from "../access/viewer";
import type { User } from "../kit/api/types";
import { createQueryClient } from "../kit/query";
import { Routes } from "./Routes";

const NORA: User = {
  id: 1,
  displayName: "Nora Lindqvist",
  email: "nora@example.org",
  role: "user",
  stripeCustomerId: null,
  createdAt: "2025-01-01T00:00:00Z",
};

/** The user of the session cookie. */
let viewer: User | null = null;
const unauthorized = () => HttpResponse.json({ error: "Sign in first.", code: "unauthorized" }, { status: 401 });

const server = setupServer(
  http.get("*/api/auth/me", () => (viewer ? HttpResponse.json({ user: viewer }) : unauthorized())),
  http.get("*/api/auth/providers", () => HttpResponse.json({ data: [{ id: "github", name: "GitHub" }] })),
  http.get("*/api/site", () => HttpResponse.json({ signup: "open" })),
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: { theme: null } })),
  http.get("*/api/teams/current", () => HttpResponse.json({ team: null })),
  http.get("*/api/*", () => HttpResponse.json({ error: "Not here." }, { status: 404 })),
);
beforeAll(() => server.listen());
beforeEach(() => {
  viewer = null;
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Opens the interface at an address. */
function open(address: string) {
  window.history.replaceState(null, "", address);
  render(
    <QueryClientProvider client={createQueryClient(signedOut)}>
      <Routes />
    </QueryClientProvider>,
  );
}

// A page's code is read from the disk at its first use, which takes a while on a busy machine.
const PATIENT = { timeout: 15_000 };
const heading = (name: string) => screen.findByRole("heading", { level: 1, name }, PATIENT);
const arrived = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path), PATIENT);

it("a protected page sends a visitor to the login, after a spinner", async () => {
  open("/dashboard");
  expect(screen.getByText("Opening your library")).toBeTruthy();
  expect(await heading("Log in")).toBeTruthy();
  expect(window.location.pathname).toBe("/login");
});

it("signing in leads back to the page that asked for it", async () => {
  server.use(
    http.post("*/api/auth/login", () => {
      viewer = NORA;
      return HttpResponse.json({ user: NORA, theme: null });
    }),
  );
  open("/add-book?tab=edit&bookId=7");
  await userEvent.type(await screen.findByLabelText("Email", undefined, PATIENT), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a long passphrase");
  await userEvent.click(screen.getByRole("button", { name: "Log In" }));
  await arrived("/add-book");
  expect(window.location.search).toBe("?tab=edit&bookId=7");
});

it.each(["/", "/login", "/signup"])("a signed-in reader is redirected from %s to the dashboard", async (address) => {
  viewer = NORA;
  open(address);
  await arrived("/dashboard");
});

it.each([
  ["a visitor to the login", null, "/login"],
  ["a reader to the dashboard", NORA, "/dashboard"],
] as const)("the operator's area sends %s", async (_, user, path) => {
  viewer = user;
  open("/admin");
  await arrived(path);
});

it("the operator's area opens for an operator, who has a link to it", async () => {
  viewer = { ...NORA, role: "admin" };
  open("/admin");
  expect(await heading("Admin")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Admin" }).getAttribute("aria-current")).toBe("page");
});

it.each([
  ["/forgot-password", "Forgot your password?"],
  ["/reset-password/a-token", "Set a new password"],
  ["/invite/a-token", "Invitation"],
])("%s opens for everyone", async (address, title) => {
  open(address);
  expect(await heading(title)).toBeTruthy();
});

it("an operator who must sign in first is led back to the area, by a password and by a provider", async () => {
  const operator = { ...NORA, role: "admin" as const };
  server.use(
    http.post("*/api/auth/login", () => {
      viewer = operator;
      return HttpResponse.json({ user: operator, theme: null });
    }),
  );
  open("/admin?tab=users");
  await userEvent.type(await screen.findByLabelText("Email", undefined, PATIENT), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a long passphrase");
  await userEvent.click(screen.getByRole("button", { name: "Log In" }));
  await arrived("/admin");
  expect(window.location.search).toBe("?tab=users");
  cleanup();
  // A provider leads to the dashboard, and the tab knows where its reader was going.
  sessionStorage.setItem(
    "shelfwise-return",
    JSON.stringify({ page: "/admin?tab=server", account: null, atProvider: true }),
  );
  open("/dashboard");
  await arrived("/admin");
  expect(window.location.search).toBe("?tab=server");
});

it("a reader in a team has a link to it, and no one else has one", async () => {
  viewer = NORA;
  open("/team");
  expect(await heading("Team")).toBeTruthy();
  expect(await screen.findByText("You're not part of any team")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Team" })).toBeNull();
  cleanup();
  server.use(http.get("*/api/teams/current", () => HttpResponse.json({ team: {} })));
  open("/account");
  expect((await screen.findByRole("link", { name: "Team" }, PATIENT)).getAttribute("href")).toBe("/team");
});

it("signing in leads back to the page that asked for it, unless it was shown to another account", async () => {
  server.use(
    http.post("*/api/auth/login", () => {
      viewer = NORA;
      return HttpResponse.json({ user: NORA, theme: null });
    }),
  );
  const logIn = async () => {
    await userEvent.type(await screen.findByLabelText("Email", undefined, PATIENT), "nora@example.org");
    await userEvent.type(screen.getByLabelText("Password"), "right");
    await userEvent.click(screen.getByRole("button", { name: "Log In" }));
  };
  open("/tbr?from=mail");
  await arrived("/login");
  await logIn();
  await arrived("/tbr");
  expect(window.location.search).toBe("?from=mail");
  cleanup();
  viewer = null;
  sessionStorage.setItem("shelfwise-return", JSON.stringify({ page: "/add-book", account: 2 }));
  open("/login");
  await logIn();
  await arrived("/dashboard");
});

it("an address that does not exist is a page of that name", async () => {
  open("/nowhere");
  expect(await heading("404 Page Not Found")).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("404 Page Not Found"));
});

it("a refused login says why above the form and keeps what was typed", async () => {
  const refusal = { error: "Invalid email or password", code: "invalid_credentials" };
  server.use(http.post("*/api/auth/login", () => HttpResponse.json(refusal, { status: 401 })));
  open("/login");
  await userEvent.type(await screen.findByLabelText("Email", undefined, PATIENT), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "guess");
  await userEvent.click(screen.getByRole("button", { name: "Log In" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Invalid email or password");
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("guess");
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Log In" });
  expect(button.disabled).toBe(false);
  expect(document.activeElement).toBe(button);
});

it("the button says that it is at work while the server thinks", async () => {
  server.use(http.post("*/api/auth/login", () => new Promise<never>(() => undefined)));
  open("/login");
  await userEvent.type(await screen.findByLabelText("Email", undefined, PATIENT), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "right");
  await userEvent.click(screen.getByRole("button", { name: "Log In" }));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Logging in..." }).disabled).toBe(true);
});

it("a new account brings its browser's time zone, and opens the dashboard in its theme", async () => {
  let sent: unknown;
  server.use(
    http.post("*/api/auth/signup", async ({ request }) => {
      sent = await request.json();
      viewer = NORA;
      return HttpResponse.json({ user: NORA, theme: "dark" }, { status: 201 });
    }),
  );
  open("/signup");
  await userEvent.type(await screen.findByLabelText("Display name", undefined, PATIENT), "Nora Lindqvist");
  await userEvent.type(screen.getByLabelText("Email"), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough one");
  await userEvent.click(screen.getByRole("button", { name: "Create Account" }));
  await arrived("/dashboard");
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(sent).toEqual({
    displayName: "Nora Lindqvist",
    email: "nora@example.org",
    password: "a long enough one",
    timezone: timeZone,
  });
  expect(document.documentElement.classList.contains("dark")).toBe(true);
});

it("a refused signup says so above the form, and what is wrong with each field beside it", async () => {
  const fields = { email: "This address has an account." };
  server.use(
    http.post("*/api/auth/signup", () =>
      HttpResponse.json({ error: "The account was not made.", code: "invalid", fields }, { status: 422 }),
    ),
  );
  open("/signup");
  await userEvent.type(await screen.findByLabelText("Display name", undefined, PATIENT), "Nora Lindqvist");
  await userEvent.type(screen.getByLabelText("Email"), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a long enough one");
  await userEvent.click(screen.getByRole("button", { name: "Create Account" }));
  expect((await screen.findByRole("alert")).textContent).toBe("The account was not made.");
  expect(screen.getByText("This address has an account.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
});

it.each([
  ["closed", "Signup is closed on this server."],
  ["invite", "New readers come to this server by invitation."],
])("where signup is %s a sentence stands in place of the form", async (signup, sentence) => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ signup })));
  open("/signup");
  expect(await screen.findByText(sentence, { exact: false }, PATIENT)).toBeTruthy();
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/login");
});
