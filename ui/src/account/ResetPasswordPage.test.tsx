import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Route } from "wouter";
import { ANSWERS, NORA, renderAs } from "../test-reader";
import LoginPage from "./LoginPage";
import ResetPasswordPage from "./ResetPasswordPage";

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(user: typeof NORA | null = null) {
  window.history.replaceState(null, "", "/reset-password/a-token_1");
  renderAs(
    user,
    <>
      <Route path="/reset-password/:token" component={ResetPasswordPage} />
      <Route path="/login" component={LoginPage} />
    </>,
  );
}

async function set(password: string) {
  await userEvent.type(screen.getByLabelText("New password"), password);
  await userEvent.click(screen.getByRole("button", { name: "Set Password" }));
}

const refuse = (status: number, body: object) =>
  server.use(http.post("*/api/auth/password-reset/:token", () => HttpResponse.json(body, { status })));

it("a password manager learns whose password it is", async () => {
  server.use(http.get("*/api/auth/password-reset/:token", () => HttpResponse.json({ email: NORA.email })));
  open();
  await waitFor(() =>
    expect(document.querySelector<HTMLInputElement>("form [autocomplete=username]")?.value).toBe(NORA.email),
  );
});

it("a new password leads to the login page, which says so; the session is checked again", async () => {
  let sent: unknown;
  let ended = false;
  server.use(
    http.post("*/api/auth/password-reset/:token", async ({ request, params }) => {
      sent = { token: params.token, ...((await request.json()) as object) };
      ended = true;
      return new HttpResponse(null, { status: 204 });
    }),
    http.get("*/api/auth/me", () =>
      ended ? HttpResponse.json({ error: "Sign in first." }, { status: 401 }) : HttpResponse.json({ user: NORA }),
    ),
  );
  open(NORA);
  await set("a shelf of my own");
  expect(await screen.findByText("Your password is changed. Log in with the new one.")).toBeTruthy();
  expect(window.location.pathname + window.location.search).toBe("/login?reset=done");
  expect(sent).toEqual({ token: "a-token_1", password: "a shelf of my own" });
});

it("a link that was used or is too old says so, and leads to where one asks for another", async () => {
  refuse(400, { error: "This link is not valid.", code: "invalid_token" });
  open();
  await set("a shelf of my own");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("This link has already been used, or it has expired.");
  await waitFor(() => expect(document.activeElement?.contains(alert)).toBe(true));
  expect(screen.getByRole("link", { name: "Send a new link" }).getAttribute("href")).toBe("/forgot-password");
  expect(screen.queryByLabelText("New password")).toBeNull();
});

it("a refused password is reported at its field, and the link still works", async () => {
  const password = "The password may not be your email address.";
  refuse(422, { error: "Please check the marked fields.", code: "invalid", fields: { password } });
  open();
  await set("nora@example.org");
  await screen.findByText(password);
  const field = screen.getByLabelText<HTMLInputElement>("New password");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(field.value).toBe("nora@example.org");
  expect(document.activeElement).toBe(field);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("too many attempts are reported above the form", async () => {
  refuse(429, { error: "Too many attempts. Try again later.", code: "too_many_attempts" });
  open();
  await set("a shelf of my own");
  expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts. Try again later.");
});
