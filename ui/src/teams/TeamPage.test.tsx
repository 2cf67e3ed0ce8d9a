import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Route } from "wouter";
import type { SeatUsage, Team, TeamMember, TeamRole } from "../kit/api/types";
import { ANSWERS, NORA, OF_PLANS, PRIVATE, renderAs, toastSays } from "../test-reader";
import TeamPage from "./TeamPage";

const someone = (userId: number, displayName: string, role: TeamRole, joined: string): TeamMember => ({
  id: 10 + userId,
  userId,
  role,
  joinedAt: `${joined}T10:00:00Z`,
  user: { displayName, email: `${displayName.split(" ")[0]?.toLowerCase()}@example.org` },
});

let team: Team | null;
let usage: SeatUsage;
/** The calls, in order. */
let sent: unknown[];

const asRole = (role: TeamRole, userId = 1) => {
  if (!team) throw new Error("There is no team");
  // Nora is always the viewer; the tests change the owner instead.
  const names = ["Nora Lindqvist", "Imani Okafor", "Aiko Tanabe"] as const;
  team = { ...team, role, members: team.members.map((one) => (one.userId === userId ? { ...one, role } : one)) };
  if (role !== "owner") {
    const members = team.members.map((one) =>
      one.user.displayName === names[1] ? { ...one, role: "owner" as const } : one,
    );
    team = { ...team, members, owner: { displayName: names[1], email: "imani@example.org" } };
  }
  if (role === "member") team = { ...team, invitations: [] };
};

const take = (change: Partial<Pick<SeatUsage, "currentMembers" | "pendingInvitations" | "addonSeats">>) => {
  const all = { ...usage, ...change };
  const seatLimit = all.baseSeats + all.addonSeats;
  usage = { ...all, seatLimit, availableSeats: seatLimit - all.currentMembers - all.pendingInvitations };
};

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  localStorage.clear();
  sent = [];
  team = {
    id: 1,
    name: "The Harbour Street Readers",
    role: "owner",
    owner: { displayName: "Nora Lindqvist", email: "nora@example.org" },
    subscription: { status: "active", billingInterval: "annual", plan: "shelfwise_team" },
    members: [
      someone(1, "Nora Lindqvist", "owner", "2025-03-02"),
      someone(3, "Aiko Tanabe", "member", "2025-03-14"),
      someone(2, "Imani Okafor", "admin", "2025-03-16"),
    ],
    invitations: [
      { id: 5, email: "greta@example.org", createdAt: "2025-11-18T10:00:00Z", expiresAt: "2025-11-25T10:00:00Z" },
    ],
  };
  usage = { currentMembers: 3, pendingInvitations: 1, seatLimit: 12, availableSeats: 8, addonSeats: 2, baseSeats: 10 };
  server.use(
    http.get("*/api/teams/current", () => HttpResponse.json({ team })),
    http.get("*/api/teams/seat-usage", () => HttpResponse.json({ usage: team && usage })),
    http.get("*/api/plans", () =>
      HttpResponse.json({ data: [{ plan: "shelfwise_team", seatMonthly: "$0.99", seatAnnual: "$10" }] }),
    ),
    http.post("*/api/teams/invite", async ({ request }) => {
      const { email } = (await request.json()) as { email: string };
      sent.push({ invite: email });
      const invitation = {
        id: email === "greta@example.org" ? 5 : 6,
        email,
        createdAt: "2025-11-20T10:00:00Z",
        expiresAt: "2025-11-27T10:00:00Z",
      };
      if (team) {
        team = { ...team, invitations: [...team.invitations.filter((one) => one.id !== invitation.id), invitation] };
        take({ pendingInvitations: team.invitations.length });
      }
      const inviteUrl = `https://books.example.org/invite/${invitation.id}-${sent.length}`;
      return HttpResponse.json({ invitation: { ...invitation, inviteUrl } }, { status: 201 });
    }),
    http.delete("*/api/teams/invitations/:id", ({ params }) => {
      sent.push({ takeBack: params.id });
      if (team) team = { ...team, invitations: team.invitations.filter(({ id }) => String(id) !== params.id) };
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete("*/api/teams/members/:id", ({ params }) => {
      sent.push({ remove: params.id });
      if (String(NORA.id) === params.id) team = null;
      else if (team) team = { ...team, members: team.members.filter(({ userId }) => String(userId) !== params.id) };
      return HttpResponse.json({ message: "The member was removed." });
    }),
    http.patch("*/api/teams/members/:id/role", async ({ params, request }) => {
      const { role } = (await request.json()) as { role: TeamRole };
      sent.push({ id: params.id, role });
      if (team && role === "owner") {
        const members = team.members.map((one) =>
          String(one.userId) === params.id
            ? { ...one, role }
            : { ...one, role: one.role === "owner" ? ("admin" as const) : one.role },
        );
        team = { ...team, role: "admin", members };
      } else if (team) {
        const members = team.members.map((one) => (String(one.userId) === params.id ? { ...one, role } : one));
        team = { ...team, members };
      }
      return HttpResponse.json({ member: team?.members.find(({ userId }) => String(userId) === params.id) });
    }),
    http.patch("*/api/teams/current", async ({ request }) => {
      const { name } = (await request.json()) as { name: string };
      sent.push({ name });
      if (team) team = { ...team, name };
      return HttpResponse.json({ team });
    }),
    http.patch("*/api/teams/seats", async ({ request }) => {
      const { addonSeats } = (await request.json()) as { addonSeats: number };
      sent.push({ addonSeats });
      take({ addonSeats });
      return HttpResponse.json({ usage });
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  server.resetHandlers();
});
afterAll(() => server.close());

function open() {
  window.history.replaceState(null, "", "/team");
  renderAs(
    NORA,
    <>
      <Route path="/team" component={TeamPage} />
      <Route path="/dashboard">The dashboard</Route>
    </>,
  );
  return screen.findByRole("heading", { level: 1, name: team?.name ?? "Team" });
}

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const names = () =>
  within(screen.getByRole("table", { name: "Members" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent?.trim());
const buttons = (row: RegExp) =>
  within(screen.getByRole("row", { name: row }))
    .queryAllByRole("button")
    .map((button) => button.getAttribute("aria-label"));
const refuse = (method: "post" | "patch" | "delete", path: string, status: number, error: string) =>
  server.use(http[method](`*/api/teams/${path}`, () => HttpResponse.json({ error, code: "refused" }, { status })));

it("shows the plan, the seats and who is here, the owner first, then admins, then members", async () => {
  await open();
  expect(screen.getByText("Owned by Nora Lindqvist")).toBeTruthy();
  for (const text of ["Annual", "active"]) expect(screen.getByText(text)).toBeTruthy();
  expect((await screen.findByText("seats used")).parentElement?.textContent).toBe("4 / 12 seats used");
  expect(screen.getByText("8 available")).toBeTruthy();
  expect(screen.getByText("Base: 10 seats + 2 addon seats. One seat is held by an invitation")).toBeTruthy();
  expect(screen.getByRole("img", { name: "4 of 12 seats used, 1 of them held by an invitation" })).toBeTruthy();
  expect(names()).toEqual(["Nora Lindqvist you", "Imani Okafor", "Aiko Tanabe"]);
  const imani = within(screen.getByRole("row", { name: /Imani/ }));
  for (const text of ["imani@example.org", "Admin", "Mar 16, 2025"]) expect(imani.getByText(text)).toBeTruthy();
});

it("an owner changes and removes everyone else, and does not leave", async () => {
  await open();
  expect(screen.getByRole("columnheader", { name: "Actions" })).toBeTruthy();
  expect(buttons(/Nora/)).toEqual([]);
  expect(buttons(/Imani/)).toEqual(["Change role of Imani Okafor", "Remove Imani Okafor"]);
  expect(buttons(/Aiko/)).toEqual(["Change role of Aiko Tanabe", "Remove Aiko Tanabe"]);
  expect(screen.queryByRole("button", { name: "Leave team" })).toBeNull();
});

it("an admin removes members alone, invites, renames and may leave, but has no seats to order", async () => {
  asRole("admin");
  await open();
  expect(buttons(/Imani/)).toEqual([]);
  expect(buttons(/Aiko/)).toEqual(["Remove Aiko Tanabe"]);
  for (const name of ["Leave team", "Invite member", "Rename the team"]) {
    expect(screen.getByRole("button", { name })).toBeTruthy();
  }
  await screen.findByText("8 available");
  expect(screen.queryByText("Addon seats")).toBeNull();
});

it("a member sees no actions, but may leave", async () => {
  asRole("member");
  await open();
  expect(screen.queryByRole("columnheader", { name: "Actions" })).toBeNull();
  expect(screen.queryByText("Invitations")).toBeNull();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Leave team"]);
});

it("a reader without a team sees the team plan", async () => {
  team = null;
  await open();
  expect(await screen.findByRole("heading", { name: "You're not part of any team" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "See the team plan" }).getAttribute("href")).toBe("/pricing");
});

const onPrivate = () => server.use(http.get("*/api/site", () => HttpResponse.json(PRIVATE)));

it("on a private server someone in no team starts one, and a refused name is kept", async () => {
  onPrivate();
  const made = team;
  team = null;
  const fields = { name: "A name may have at most 100 characters." };
  server.use(
    http.post(
      "*/api/teams",
      () => HttpResponse.json({ error: "Not valid.", code: "invalid", fields }, { status: 422 }),
      {
        once: true,
      },
    ),
    http.post("*/api/teams", async ({ request }) => {
      sent.push(await request.json());
      team = made;
      return HttpResponse.json({ team }, { status: 201 });
    }),
  );
  await open();
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Start a Team" });
  expect(screen.queryByRole("link", { name: "See the team plan" })).toBeNull();
  expect(button.disabled).toBe(true);
  await userEvent.type(screen.getByLabelText("Team name"), " The Harbour Street Readers {Enter}");
  expect(await screen.findByText(fields.name)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Team name").value).toBe(" The Harbour Street Readers ");
  await press("Start a Team");
  await toastSays("Team started");
  expect(await screen.findByRole("heading", { level: 1, name: "The Harbour Street Readers" })).toBeTruthy();
  expect(sent).toEqual([{ name: "The Harbour Street Readers" }]);
});

it("a team of a private server has no billing, and no seats to order", async () => {
  onPrivate();
  usage = { currentMembers: 49, pendingInvitations: 1, seatLimit: 50, availableSeats: 0, addonSeats: 0, baseSeats: 50 };
  await open();
  expect(await screen.findByText("No seats available")).toBeTruthy();
  expect(screen.getByText("A seat becomes free when a member leaves or an invitation ends")).toBeTruthy();
  for (const text of ["Billing interval", "Subscription status", "Addon seats"]) {
    expect(screen.queryByText(text)).toBeNull();
  }
  await press("Change role of Imani Okafor");
  expect(screen.getByText("Manages everything. There is one owner.")).toBeTruthy();
  expect(document.body.textContent).not.toMatch(OF_PLANS);
  await press("Cancel");
  await press("Remove Aiko Tanabe");
  expect(screen.getByText(/Their library stays theirs\.$/)).toBeTruthy();
});

it("a member of a private server's team leaves it without losing a plan", async () => {
  onPrivate();
  asRole("member");
  await open();
  await press("Leave team");
  expect(screen.getByText("You leave its dashboard and challenges. Your library stays yours.")).toBeTruthy();
});

it("a team that can't be fetched says so, and is asked for again", async () => {
  server.use(
    http.get("*/api/teams/current", () => HttpResponse.json({ error: "Out of order." }, { status: 500 }), {
      once: true,
    }),
  );
  window.history.replaceState(null, "", "/team");
  renderAs(NORA, <TeamPage />);
  expect(await screen.findByText("Out of order.")).toBeTruthy();
  await press("Try again");
  expect(await screen.findByRole("heading", { level: 1, name: "The Harbour Street Readers" })).toBeTruthy();
});

it("seats that can't be fetched can be requested again, and invitations wait for them", async () => {
  server.use(
    http.get("*/api/teams/seat-usage", () => HttpResponse.json({ error: "Out of order." }, { status: 500 }), {
      once: true,
    }),
  );
  await open();
  expect(await screen.findByText("Out of order.")).toBeTruthy();
  await press("Invite member");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Create invitation" }).disabled).toBe(true);
  expect(screen.queryByText(/available/)).toBeNull();
  await press("Cancel");
  await press("Try again");
  expect(await screen.findByText("8 available")).toBeTruthy();
});

it.each([
  [1, "Only 1 seat remaining", "", /1 seat is available\.$/],
  [0, "No seats available", "Upgrade your plan to add more team members", /No seats are available\.$/],
])(
  "with %i seats left it says so, and the invitation can be sent with one only",
  async (left, title, advice, inDialog) => {
    take({ currentMembers: 11 - left });
    await open();
    const said = await screen.findByText(title);
    expect(said.parentElement?.textContent).toBe(title + advice);
    await press("Invite member");
    const dialog = within(screen.getByRole("dialog", { name: "Invite Team Member" }));
    expect(dialog.getByText(inDialog)).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Create invitation" }).disabled).toBe(left === 0);
  },
);

it("an unpaid team can't invite, and its owner sees where to renew", async () => {
  if (team) team = { ...team, subscription: { status: "canceled", billingInterval: "annual", plan: "reader" } };
  await open();
  await screen.findByText("8 available");
  expect(screen.getByText(/^The subscription has ended/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Renew" }).getAttribute("href")).toBe("/pricing");
  expect(screen.getByText("canceled")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Invite member" }).disabled).toBe(true);
  expect(screen.queryByText("Addon seats")).toBeNull();
  expect(screen.queryByRole("button", { name: /^New link/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Take back the invitation to greta@example.org" })).toBeTruthy();
});

it("a text that is not an address is not sent", async () => {
  await open();
  await screen.findByText("8 available");
  await press("Invite member");
  const dialog = within(screen.getByRole("dialog", { name: "Invite Team Member" }));
  for (const typed of ["", "greta.example.org"]) {
    await userEvent.clear(dialog.getByLabelText("Email"));
    if (typed) await userEvent.type(dialog.getByLabelText("Email"), typed);
    await userEvent.click(dialog.getByRole("button", { name: "Create invitation" }));
    expect(dialog.getByLabelText("Email").getAttribute("aria-invalid")).toBe("true");
  }
  await toastSays("Invalid Email");
  expect(screen.getAllByText("Please enter a valid email address").length).toBeGreaterThan(1);
  expect(sent).toEqual([]);
});

it("an invitation gives a link, which can be copied for as long as it is known", async () => {
  const written: string[] = [];
  vi.stubGlobal(
    "navigator",
    Object.create(navigator, { clipboard: { value: { writeText: written.push.bind(written) } } }),
  );
  await open();
  await screen.findByText("8 available");
  await press("Invite member");
  await userEvent.type(screen.getByLabelText("Email"), "mei@example.org{Enter}");
  await toastSays("Member Invited");
  const dialog = within(await screen.findByRole("dialog", { name: "Invitation for mei@example.org" }));
  expect(dialog.getByText(/until Nov 27, 2025, for an account with this address/)).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>("Link").value).toBe("https://books.example.org/invite/6-1");
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Invite member"));
  await screen.findByText("7 available");
  await press("Copy link for mei@example.org");
  await toastSays("Link copied");
  expect(written).toEqual(["https://books.example.org/invite/6-1"]);
  expect(screen.queryByRole("button", { name: "Copy link for greta@example.org" })).toBeNull();
});

it("an invitation with a lost link gets a new one, even when no seat is free", async () => {
  take({ currentMembers: 11 });
  await open();
  await press("New link for greta@example.org");
  const field = await screen.findByLabelText<HTMLInputElement>("Link");
  expect(field.value).toBe("https://books.example.org/invite/5-1");
  await press("Done");
  expect(sent).toEqual([{ invite: "greta@example.org" }]);
  expect(await screen.findByRole("button", { name: "Copy link for greta@example.org" })).toBe(document.activeElement);
});

it("an invitation is taken back, and the focus moves to the remaining list", async () => {
  await open();
  await press("Take back the invitation to greta@example.org");
  await toastSays("Invitation taken back");
  expect(sent).toEqual([{ takeBack: "5" }]);
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Invitations" })).toBeNull());
  expect(document.activeElement?.textContent).toBe("Members");
});

it("a refused invitation says why", async () => {
  refuse("post", "invite", 409, "Someone with this email address is in the team already.");
  await open();
  await screen.findByText("8 available");
  await press("Invite member");
  await userEvent.type(screen.getByLabelText("Email"), "aiko@example.org{Enter}");
  await toastSays("Invitation Failed");
  expect(screen.getByText("Someone with this email address is in the team already.")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("aiko@example.org");
});

it("removing a member asks first, and names them", async () => {
  await open();
  await press("Remove Aiko Tanabe");
  const dialog = within(screen.getByRole("alertdialog", { name: "Remove Team Member" }));
  expect(dialog.getByText("aiko@example.org, member since Mar 14, 2025")).toBeTruthy();
  expect(document.activeElement?.textContent).toBe("Keep member");
  await userEvent.click(dialog.getByRole("button", { name: "Remove member" }));
  await toastSays("Member Removed");
  expect(sent).toEqual([{ remove: "3" }]);
  expect(names()).toEqual(["Nora Lindqvist you", "Imani Okafor"]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Members"));
});

it("a refused removal says why", async () => {
  refuse("delete", "members/3", 404, "There is no one of that number.");
  await open();
  await press("Remove Aiko Tanabe");
  await press("Remove member");
  await toastSays("Removal Failed");
  expect(screen.getByText("There is no one of that number.")).toBeTruthy();
});

it("a role is changed, and nothing is sent while it is the same", async () => {
  await open();
  await press("Change role of Aiko Tanabe");
  const dialog = within(screen.getByRole("dialog", { name: "Change Member Role" }));
  expect(dialog.getByText("Aiko Tanabe is a member.")).toBeTruthy();
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Change role" }).disabled).toBe(true);
  await userEvent.click(dialog.getByRole("radio", { name: /^Admin/ }));
  await userEvent.click(dialog.getByRole("button", { name: "Change role" }));
  await toastSays("Role Updated");
  expect(sent).toEqual([{ id: "3", role: "admin" }]);
  expect(within(screen.getByRole("row", { name: /Aiko/ })).getByText("Admin")).toBeTruthy();
});

it("handing the team over warns of what it means, and leaves the former owner an admin", async () => {
  await open();
  await press("Change role of Imani Okafor");
  const dialog = within(screen.getByRole("dialog", { name: "Change Member Role" }));
  expect(dialog.queryByRole("alert")).toBeNull();
  await userEvent.click(dialog.getByRole("radio", { name: /^Owner/ }));
  const warning = "Transferring ownership makes you an admin. Only Imani Okafor can give it back.";
  expect(dialog.getByRole("alert").textContent).toBe(warning);
  await userEvent.click(dialog.getByRole("button", { name: "Transfer ownership" }));
  await toastSays("Role Updated");
  expect(sent).toEqual([{ id: "2", role: "owner" }]);
  expect(names()).toEqual(["Imani Okafor", "Nora Lindqvist you", "Aiko Tanabe"]);
  expect(screen.queryByRole("button", { name: /^Change role of/ })).toBeNull();
});

it("a refused role says why", async () => {
  refuse("patch", "members/3/role", 403, "Only the team's owner can do this.");
  await open();
  await press("Change role of Aiko Tanabe");
  await userEvent.click(screen.getByRole("radio", { name: /^Admin/ }));
  await press("Change role");
  await toastSays("Update Failed");
  expect(screen.getByText("Only the team's owner can do this.")).toBeTruthy();
});

it("seats are counted up, and ordered with Update alone", async () => {
  await open();
  const update = await screen.findByRole<HTMLButtonElement>("button", { name: "Update" });
  expect(await screen.findByText("$10 a year each, from today on")).toBeTruthy();
  expect(update.disabled).toBe(true);
  await press("One seat more");
  await press("One seat more");
  expect(sent).toEqual([]);
  await userEvent.click(update);
  await toastSays("Seats updated");
  expect(sent).toEqual([{ addonSeats: 4 }]);
  expect(screen.getByText("10 available")).toBeTruthy();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("One seat more");
});

it("a seat in use can't be given up", async () => {
  take({ currentMembers: 10 });
  await open();
  await press("One seat fewer");
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "One seat fewer" }).disabled).toBe(true);
  expect(within(screen.getByRole("group", { name: "Addon seats" })).getByRole("status").textContent).toBe("1");
});

it("the team gets another name", async () => {
  await open();
  await press("Rename the team");
  const field = screen.getByLabelText("Team name");
  await userEvent.clear(field);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  await userEvent.type(field, " Tuesday Night Chapters {Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: "Tuesday Night Chapters" })).toBeTruthy();
  await toastSays("Team renamed");
  expect(sent).toEqual([{ name: "Tuesday Night Chapters" }]);
});

it("leaving asks first, and then opens the reader's own dashboard", async () => {
  asRole("member");
  await open();
  await press("Leave team");
  const dialog = within(screen.getByRole("alertdialog", { name: "Leave The Harbour Street Readers?" }));
  expect(document.activeElement?.textContent).toBe("Stay");
  await userEvent.click(dialog.getByRole("button", { name: "Leave Team" }));
  await toastSays("You have left the team");
  expect(await screen.findByText("The dashboard")).toBeTruthy();
  expect(sent).toEqual([{ remove: "1" }]);
});

it("on a narrow screen the members are rows of text, each with a menu", async () => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  await open();
  expect(screen.getByText("Joined Mar 14, 2025")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.queryByRole("button", { name: "Actions for Nora Lindqvist" })).toBeNull();
  await press("Actions for Aiko Tanabe");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Change role" }));
  expect(await screen.findByRole("dialog", { name: "Change Member Role" })).toBeTruthy();
});
