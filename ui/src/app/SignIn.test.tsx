import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { signedOut } from "../access/viewer";
import type { Site } from "../kit/api/types";
import { createQueryClient } from "../kit/query";
import { PRIVATE } from "../test-reader";
import { Routes } from "./Routes";

let site: Site;

const server = setupServer(
  http.get("*/api/site", () => HttpResponse.json(site)),
  http.get("*/api/auth/me", () => HttpResponse.json({ error: "Sign in.", code: "not_signed_in" }, { status: 401 })),
  http.get("*/api/auth/providers", () =>
    HttpResponse.json({
      data: [
        { id: "google", name: "Google" },
        { id: "home", name: "Home" },
      ],
    }),
  ),
);
const replace = vi.fn();
const WITHOUT_PASSWORDS: Site = { ...PRIVATE, signup: "closed", passwordLogin: false, signupProviders: ["home"] };
const REDIRECTS: Site = { ...WITHOUT_PASSWORDS, loginRedirect: "home" };

beforeAll(() => server.listen());
beforeEach(() => {
  site = WITHOUT_PASSWORDS;
  sessionStorage.clear();
  vi.spyOn(window.location, "replace").mockImplementation(replace);
});
afterEach(() => {
  replace.mockReset();
  vi.restoreAllMocks();
});
afterAll(() => server.close());

function open(address: string) {
  window.history.replaceState(null, "", address);
  return render(
    <QueryClientProvider client={createQueryClient(signedOut)}>
      <Routes />
    </QueryClientProvider>,
  );
}

const button = (name: string) => screen.findByRole("link", { name }, { timeout: 15_000 });
/** The address that the browser was sent on to. */
const sentTo = () => new URL(replace.mock.calls[0]?.[0] ?? "", "http://books.test");

it("a server without passwords shows its providers and no form", async () => {
  open("/login");
  expect(await button("Continue with Home")).toBeTruthy();
  expect(await button("Continue with Google")).toBeTruthy();
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.queryByText("Forgot your password?")).toBeNull();
  expect(screen.queryByText("or")).toBeNull();
  expect(replace).not.toHaveBeenCalled();
});

it("people sign up with the providers that make accounts", async () => {
  open("/signup");
  expect((await button("Sign up with Home")).getAttribute("href")).toContain("/api/auth/oauth/home");
  expect(screen.queryByRole("link", { name: "Sign up with Google" })).toBeNull();
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.queryByText(/Signup is closed/)).toBeNull();
});

it("where no provider makes accounts the sign-up page says so", async () => {
  site = { ...WITHOUT_PASSWORDS, signup: "open", signupProviders: [] };
  open("/signup");
  expect(await screen.findByText(/Signup is closed/, {}, { timeout: 15_000 })).toBeTruthy();
  expect(screen.queryByRole("link", { name: /Sign up with/ })).toBeNull();
});

it("with an invitation people sign up through any provider, and without one they read how to get it", async () => {
  site = { ...WITHOUT_PASSWORDS, signup: "invite", signupProviders: [] };
  const invitation = {
    team: null,
    inviter: "Ada",
    email: "g…a@example.org",
    expiresAt: "2026-01-08T00:00:00Z",
  };
  server.use(http.get("*/api/invitations/TOKEN", () => HttpResponse.json({ invitation })));
  const { unmount } = open("/signup?invite=TOKEN");
  expect((await button("Sign up with Home")).getAttribute("href")).toContain("next=%2Finvite%2FTOKEN");
  expect(screen.getByText(/Ada invites you to/)).toBeTruthy();
  expect(screen.getByText("The invitation is for g…a@example.org.")).toBeTruthy();
  expect(screen.queryByLabelText("Password")).toBeNull();
  unmount();
  open("/signup");
  expect(await screen.findByText(/by invitation/, {}, { timeout: 15_000 })).toBeTruthy();
  expect(screen.queryByRole("link", { name: /Sign up with/ })).toBeNull();
});

it("a forgotten password is nothing that a server without passwords can mend", async () => {
  open("/forgot-password");
  expect(await screen.findByText(/This server uses no passwords\./, {}, { timeout: 15_000 })).toBeTruthy();
  expect(screen.queryByLabelText("Email")).toBeNull();
});

it("a server behind a proxy that signs people in says so, and why the proxy's word was refused", async () => {
  site = { ...WITHOUT_PASSWORDS, proxyLogin: true };
  const { unmount } = open("/login");
  expect(
    await screen.findByText(/The proxy in front of this server logs you in\./, {}, { timeout: 15_000 }),
  ).toBeTruthy();
  unmount();
  const error = "This account has been disabled. Ask the person who runs this server.";
  server.use(
    http.get("*/api/auth/me", () => HttpResponse.json({ error, code: "header_refused" }, { status: 403 }), {
      once: true,
    }),
  );
  open("/login");
  expect((await screen.findByRole("alert", {}, { timeout: 15_000 })).textContent).toBe(error);
  expect(screen.queryByText(/The proxy in front of this server/)).toBeNull();
});

it.each(["/login", "/"])("the page at %s goes to the provider at once, and once", async (address) => {
  site = REDIRECTS;
  const { unmount } = open(`${address}?next=/invite/abc`);
  expect(await screen.findByText("Going to Home", {}, { timeout: 15_000 })).toBeTruthy();
  expect(await button("Continue with Home")).toBeTruthy();
  expect(replace).toHaveBeenCalledTimes(1);
  expect(sentTo().pathname).toBe("/api/auth/oauth/home");
  expect(sentTo().searchParams.get("next")).toBe("/invite/abc");
  expect(sentTo().searchParams.get("timezone")).toBeTruthy();
  unmount();
  // The Back button, or a sign-in that did not last, shows the page.
  open(address);
  expect(await button("Continue with Home")).toBeTruthy();
  await waitFor(() => expect(screen.queryByText("Going to Home")).toBeNull());
  expect(replace).toHaveBeenCalledTimes(1);
});

it.each(["/login?stay=true", "/login?error=not_allowed&provider=home"])("the page stays at %s", async (address) => {
  site = REDIRECTS;
  open(address);
  expect(await button("Continue with Home")).toBeTruthy();
  expect(screen.queryByText("Going to Home")).toBeNull();
  expect(replace).not.toHaveBeenCalled();
});

it.each([
  ["not_allowed", true, "Your Home account is not in a group that may use this server. Ask the person who runs it."],
  [
    "email_taken",
    false,
    "An account with this email address exists, but it is not connected to Home. Ask the person who runs this server.",
  ],
  [
    "email_taken",
    true,
    "An account with this email address exists. Log in with your password, then connect Home under Account.",
  ],
] as const)("a sign-in that fails with %s (passwords: %s) says what to do", async (code, passwordLogin, sentence) => {
  site = { ...WITHOUT_PASSWORDS, passwordLogin };
  open(`/login?error=${code}&provider=home`);
  expect((await screen.findByRole("alert", {}, { timeout: 15_000 })).textContent).toBe(sentence);
});
