import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ANSWERS, renderAs, toastSays } from "../test-reader";
import ForgotPasswordPage from "./ForgotPasswordPage";

let asked: unknown[] = [];
const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  asked = [];
  server.use(
    http.get("*/api/site", () => HttpResponse.json({ mail: true })),
    http.post("*/api/auth/password-reset", async ({ request }) => {
      asked.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

async function ask() {
  await userEvent.type(await screen.findByLabelText("Email"), "nora@example.org");
  await userEvent.click(screen.getByRole("button", { name: "Send Link" }));
}

it("says that a link is on its way, whether or not the address has an account, and sends it again on request", async () => {
  renderAs(null, <ForgotPasswordPage />);
  await ask();
  const note = await screen.findByText(/If this address has an account, a link is on its way to it/);
  await waitFor(() => expect(document.activeElement?.contains(note)).toBe(true));
  expect(screen.queryByLabelText("Email")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "send it again" }));
  await toastSays("Sent again");
  expect(asked).toEqual([{ email: "nora@example.org" }, { email: "nora@example.org" }]);
});

it("where the server sends no mail it names the command that sets a password, and asks for nothing", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ mail: false })));
  renderAs(null, <ForgotPasswordPage />);
  expect(
    await screen.findByText("shelfwise user set-password you@example.org --data-dir /var/lib/shelfwise"),
  ).toBeTruthy();
  expect(screen.getByText(/This server sends no mail/)).toBeTruthy();
  expect(screen.queryByLabelText("Email")).toBeNull();
});

it("a refusal shows above the form, which keeps the address", async () => {
  const refusal = { error: "Too many attempts. Try again in a minute.", code: "too_many_attempts" };
  server.use(http.post("*/api/auth/password-reset", () => HttpResponse.json(refusal, { status: 429 })));
  renderAs(null, <ForgotPasswordPage />);
  await ask();
  expect((await screen.findByRole("alert")).textContent).toBe(refusal.error);
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("nora@example.org");
});

it("is at work while the server thinks", async () => {
  server.use(http.post("*/api/auth/password-reset", () => new Promise<never>(() => undefined)));
  renderAs(null, <ForgotPasswordPage />);
  await ask();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Sending..." }).disabled).toBe(true);
});
