import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Route } from "wouter";
import LoginPage from "../account/LoginPage";
import SignupPage from "../account/SignupPage";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import InvitePage from "./InvitePage";

const INVITATION = {
  team: "The Harbour Street Readers",
  inviter: "Imani Okafor",
  email: "n…a@example.org",
  expiresAt: "2025-11-25T20:00:00Z",
};

let sent: string[];
let team: { name: string } | null;

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  sent = [];
  team = null;
  server.use(
    http.get("*/api/invitations/a-token_1", () => HttpResponse.json({ invitation: INVITATION })),
    http.get("*/api/teams/current", () => HttpResponse.json({ team })),
    http.get("*/api/auth/providers", () => HttpResponse.json({ data: [] })),
    http.post("*/api/invitations/a-token_1/:answer", async ({ params, request }) => {
      const body = await request.text();
      sent.push([params.answer, body].filter(Boolean).join(" "));
      if (params.answer === "decline") return new HttpResponse(null, { status: 204 });
      team = { name: INVITATION.team };
      return HttpResponse.json({ team });
    }),
    http.post("*/api/auth/signup", async ({ request }) => {
      const { email, inviteToken } = (await request.json()) as { email: string; inviteToken?: string };
      sent.push(`${email} by ${inviteToken}`);
      return HttpResponse.json({ user: { ...NORA, email }, theme: null }, { status: 201 });
    }),
    http.post("*/api/auth/login", () => HttpResponse.json({ user: NORA, theme: null })),
    http.post("*/api/auth/logout", () => new HttpResponse(null, { status: 204 })),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(user: typeof NORA | null, token = "a-token_1") {
  window.history.replaceState(null, "", `/invite/${token}`);
  renderAs(
    user,
    <>
      <Route path="/invite/:token" component={InvitePage} />
      <Route path="/login" component={LoginPage} />
      <Route path="/signup" component={SignupPage} />
      <Route path="/team">The team</Route>
      <Route path="/dashboard">The dashboard</Route>
    </>,
  );
}

const over = () =>
  server.use(
    http.get("*/api/invitations/a-token_1", () =>
      HttpResponse.json(
        { error: "This invitation was used.", code: "invitation_over", team: INVITATION.team, inviter: "Imani Okafor" },
        { status: 410 },
      ),
    ),
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const title = (name: string) => screen.findByRole("heading", { level: 1, name });

it("an invited reader sees the team, the inviter, and that nothing is shared, and joins", async () => {
  open(NORA);
  expect(await title(INVITATION.team)).toBeTruthy();
  expect(await screen.findByText(/^Imani Okafor invites you.*until you switch sharing on\.$/)).toBeTruthy();
  expect(
    await screen.findByText(/^Logged in as nora@example\.org\. The invitation is good until Nov 25, 2025\.$/),
  ).toBeTruthy();
  await press("Accept Invitation");
  expect(await screen.findByText("The team")).toBeTruthy();
  await toastSays("You have joined the team");
  expect(sent).toEqual(['accept {"shareWithTeam":false}']);
});

it("a reader who wants to share from the first day says so before joining", async () => {
  open(NORA);
  const share = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Share what I finish with this team" });
  expect(share.checked).toBe(false);
  await userEvent.click(share);
  await press("Accept Invitation");
  expect(await screen.findByText("The team")).toBeTruthy();
  expect(sent).toEqual(['accept {"shareWithTeam":true}']);
});

it("declining gives the seat back", async () => {
  open(NORA);
  await press("Decline");
  expect(await screen.findByText("The dashboard")).toBeTruthy();
  expect(sent).toEqual(["decline"]);
});

it("signed out, the login leads back to the invitation", async () => {
  open(null);
  expect(await screen.findByText("The invitation is for n…a@example.org.")).toBeTruthy();
  await userEvent.click(screen.getByRole("link", { name: "Log In" }));
  await userEvent.type(await screen.findByLabelText("Email"), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a shelf of my own{Enter}");
  expect(await screen.findByRole("button", { name: "Accept Invitation" })).toBeTruthy();
  expect(window.location.pathname).toBe("/invite/a-token_1");
});

it("signed out, a new account joins with the link's token, and only with the invited address", async () => {
  open(null);
  await userEvent.click(await screen.findByRole("link", { name: "Create an Account" }));
  await userEvent.type(await screen.findByLabelText("Display name"), "Nora Lindqvist");
  await userEvent.type(screen.getByLabelText("Email"), "rosa@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a shelf of my own");
  await press("Create Account and Join");
  expect(await screen.findByText("This is not the address that was invited.")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  expect(sent).toEqual([]);
  await userEvent.clear(screen.getByLabelText("Email"));
  await userEvent.type(screen.getByLabelText("Email"), "Nora@example.org");
  await press("Create Account and Join");
  expect(await screen.findByText("The team")).toBeTruthy();
  expect(sent).toEqual(["Nora@example.org by a-token_1", 'accept {"shareWithTeam":false}']);
});

it("a new account can share with the team from the first day", async () => {
  open(null);
  await userEvent.click(await screen.findByRole("link", { name: "Create an Account" }));
  await userEvent.type(await screen.findByLabelText("Display name"), "Nora Lindqvist");
  await userEvent.type(screen.getByLabelText("Email"), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a shelf of my own");
  const share = screen.getByRole<HTMLInputElement>("checkbox", { name: "Share what I finish with this team" });
  expect(share.checked).toBe(false);
  await userEvent.click(share);
  await press("Create Account and Join");
  expect(await screen.findByText("The team")).toBeTruthy();
  expect(sent).toEqual(["nora@example.org by a-token_1", 'accept {"shareWithTeam":true}']);
});

it("where signing up is closed only the login is offered", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ signup: "closed" })));
  open(null);
  await waitFor(() => expect(screen.queryByRole("link", { name: "Create an Account" })).toBeNull());
  expect(await screen.findByRole("link", { name: "Log In" })).toBeTruthy();
});

it("for another address it names the invited one masked, and offers to switch", async () => {
  const rosa = { ...NORA, email: "rosa@example.org" };
  open(rosa);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("This invitation is for n…a@example.org. You are logged in as rosa@example.org.");
  expect(screen.queryByRole("button", { name: "Accept Invitation" })).toBeNull();
  await press("Log Out and Switch");
  expect(await title("Log in")).toBeTruthy();
  expect(window.location.search).toBe("?next=%2Finvite%2Fa-token_1");
});

it("a switch to another account asks before it removes text that is not saved", async () => {
  localStorage.setItem("shelfwise.draft.1.edit.7", "{}");
  open({ ...NORA, email: "rosa@example.org" });
  await press("Log Out and Switch");
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText("1 form has text that is not saved. Log out and lose it?")).toBeTruthy();
  expect(localStorage).toHaveLength(1);
  await userEvent.click(question.getByRole("button", { name: "Log Out" }));
  expect(await title("Log in")).toBeTruthy();
  expect(localStorage.getItem("shelfwise.draft.1.edit.7")).toBeNull();
});

it("an address that only looks like the invited one is refused by the server, in the same words", async () => {
  server.use(
    http.post("*/api/invitations/a-token_1/accept", () =>
      HttpResponse.json({ error: "This invitation is for another.", code: "other_address" }, { status: 403 }),
    ),
  );
  open({ ...NORA, email: "norma@example.org" });
  await press("Accept Invitation");
  expect(await screen.findByText(/^This invitation is for n…a@example\.org\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Stay logged in" }).getAttribute("href")).toBe("/dashboard");
});

it("a used or expired invitation names the person to ask", async () => {
  over();
  open(NORA);
  expect(await title(INVITATION.team)).toBeTruthy();
  expect(screen.getByText("This invitation has been used, or its seven days are over.")).toBeTruthy();
  expect(screen.getByText("Ask Imani Okafor for a new one.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to the Dashboard" })).toBeTruthy();
});

it("an invitation that was taken back meanwhile says so when it is accepted", async () => {
  open(NORA);
  await screen.findByRole("button", { name: "Accept Invitation" });
  over();
  server.use(
    http.post("*/api/invitations/a-token_1/accept", () =>
      HttpResponse.json({ error: "This invitation was used.", code: "invitation_over" }, { status: 410 }),
    ),
  );
  await press("Accept Invitation");
  expect(await screen.findByText("Ask Imani Okafor for a new one.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Accept Invitation" })).toBeNull();
});

it("a member of another team is asked to leave it first, and may decline", async () => {
  team = { name: "Tuesday Night Chapters" };
  open(NORA);
  expect((await screen.findByText(/^You are in a team already/)).textContent).toContain("Tuesday Night Chapters");
  expect(screen.getByRole("link", { name: "Go to Your Team" }).getAttribute("href")).toBe("/team");
  await press("Decline");
  expect(await screen.findByText("The dashboard")).toBeTruthy();
});

it("an invalid link says so", async () => {
  open(null, "nonsense");
  expect(await title("Invitation")).toBeTruthy();
  expect(await screen.findByText("This link is not an invitation, or a part of it is missing.")).toBeTruthy();
});

it("an invitation that could not be opened can be requested again", async () => {
  const slow = { error: "Too many attempts. Try again later.", code: "too_many_attempts" };
  server.use(http.get("*/api/invitations/a-token_1", () => HttpResponse.json(slow, { status: 429 }), { once: true }));
  open(NORA);
  expect(await screen.findByText(slow.error)).toBeTruthy();
  await press("Try again");
  expect(await title(INVITATION.team)).toBeTruthy();
});
