import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Identity } from "../kit/api/types";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import { ConnectedAccounts } from "./ConnectedAccounts";
import SocialError from "./SocialError";

const GITHUB = { provider: "github", name: "GitHub", email: "nora@example.org", linkedAt: "2025-03-09T10:00:00Z" };

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function offers(providers: { id: string; name: string }[], identities: { data: Identity[]; hasPassword: boolean }) {
  server.use(
    http.get("*/api/auth/providers", () => HttpResponse.json({ data: providers })),
    http.get("*/api/account/identities", () => HttpResponse.json(identities)),
  );
}

const BOTH = [
  { id: "google", name: "Google" },
  { id: "github", name: "GitHub" },
];

it("shows the connected providers with their dates, and those that could be connected", async () => {
  offers(BOTH, { data: [GITHUB], hasPassword: true });
  renderAs(NORA, <ConnectedAccounts />);
  expect(await screen.findByText("nora@example.org, connected Mar 9, 2025")).toBeTruthy();
  expect(screen.getByText("Not connected")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Connect Google" }).getAttribute("href")).toBe("/api/auth/oauth/google");
  expect(screen.queryByRole("link", { name: "Connect GitHub" })).toBeNull();
});

it("parts with a provider, and says so", async () => {
  offers(BOTH, { data: [GITHUB], hasPassword: true });
  server.use(
    http.delete("*/api/account/identities/github", () => {
      offers(BOTH, { data: [], hasPassword: true });
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAs(NORA, <ConnectedAccounts />);
  await userEvent.click(await screen.findByRole("button", { name: "Disconnect GitHub" }));
  await toastSays("GitHub disconnected");
  expect(await screen.findByRole("link", { name: "Connect GitHub" })).toBeTruthy();
  // The button that was pressed is gone.
  const first = screen.getByRole("link", { name: "Connect Google" });
  await waitFor(() => expect(document.activeElement).toBe(first));
});

it.each([
  ["without a password", BOTH, [GITHUB], false, true],
  ["with a password", BOTH, [GITHUB], true, false],
  ["beside another way", BOTH, [GITHUB, { ...GITHUB, provider: "google", name: "Google" }], false, false],
  [
    "beside one that the server has no longer",
    BOTH,
    [GITHUB, { ...GITHUB, provider: "gone", name: "gone" }],
    false,
    true,
  ],
])("the only provider %s keeps its place: %#", async (_, providers, data, hasPassword, isLast) => {
  offers(providers, { data, hasPassword });
  renderAs(NORA, <ConnectedAccounts />);
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Disconnect GitHub" });
  expect(button.disabled).toBe(isLast);
  const row = within(button.closest("li") as HTMLElement);
  expect(Boolean(row.queryByText(/your only way in: set a password/))).toBe(isLast);
});

it("is not there where the server has no other ways in", async () => {
  let asked = false;
  offers([], { data: [], hasPassword: true });
  server.events.on("response:mocked", ({ request }) => {
    asked ||= request.url.endsWith("/identities");
  });
  renderAs(NORA, <ConnectedAccounts />);
  await expect.poll(() => asked).toBe(true);
  expect(screen.queryByRole("heading", { name: "Connected accounts" })).toBeNull();
});

it.each([
  ["email_taken", "github", /Log in with your password, then connect GitHub under Account\.$/],
  ["linked_elsewhere", "github", /^This GitHub account is connected to someone else/],
  ["unavailable", "Your bank", /^The other service can’t be reached/],
  ["You were hacked", "github", /^Signing in did not work\. Please try again\.$/],
  ["constructor", "github", /^Signing in did not work\. Please try again\.$/],
])("%s of %s is said in a sentence of the program's own", async (code, provider, sentence) => {
  offers(BOTH, { data: [], hasPassword: true });
  renderAs(null, <SocialError code={code} provider={provider} />);
  expect((await screen.findByRole("alert")).textContent).toMatch(sentence);
});
