import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { useState } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Challenge, Preferences, Team } from "../../kit/api/types";
import { dateOf } from "../../kit/format";
import { ANSWERS, NORA, PREFERENCES, renderAs, toastSays } from "../../test-reader";
import { HeadPlace } from "../HeadActions";
import Challenges from "./Challenges";
import { TEAM } from "./test-team";

const DAY = 86_400_000;
const inDays = (days: number) => dateOf(new Date(Date.now() + days * DAY), PREFERENCES.timezone);

const MEMBERS = [
  { userId: 2, displayName: "Imani Okafor", value: 900_000 },
  { userId: 1, displayName: "Nora Lindqvist", value: 459_258 },
];
const WORDS: Challenge = {
  id: 4,
  title: "Two million words by Christmas",
  metric: "words",
  target: 2_000_000,
  startDate: inDays(-60),
  endDate: inDays(36),
  total: 1_359_258,
  members: MEMBERS,
};
const PAST: Challenge = {
  ...WORDS,
  id: 3,
  title: "Thirty books in spring",
  metric: "books",
  target: 30,
  startDate: "2025-03-01",
  endDate: "2025-05-31",
  total: 26,
};

let stored: Challenge[] = [];
let preferences: Preferences = PREFERENCES;
let sent: unknown[] = [];

const server = setupServer(
  http.get("*/api/teams/challenges", () => HttpResponse.json({ data: stored })),
  http.post("*/api/teams/challenges", async ({ request }) => {
    const form = (await request.json()) as Challenge;
    sent.push(form);
    stored = [{ ...form, id: 9, total: 0, members: [] }, ...stored];
    return HttpResponse.json({ challenge: stored[0] }, { status: 201 });
  }),
  http.patch("*/api/teams/challenges/4", async ({ request }) => {
    const form = (await request.json()) as Challenge;
    sent.push(form);
    stored = stored.map((one) => (one.id === 4 ? { ...one, ...form } : one));
    return HttpResponse.json({ challenge: stored[0] });
  }),
  http.delete("*/api/teams/challenges/4", () => {
    stored = stored.filter(({ id }) => id !== 4);
    return new HttpResponse(null, { status: 204 });
  }),
  http.get("*/api/preferences", () => HttpResponse.json({ preferences })),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  stored = [WORDS, PAST];
  preferences = { ...PREFERENCES, shareWithTeam: true };
  sent = [];
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function InPage({ team }: { team: Team }) {
  const [head, setHead] = useState<HTMLElement | null>(null);
  return (
    <>
      <div ref={setHead} />
      <HeadPlace value={head}>
        <Challenges team={team} />
      </HeadPlace>
    </>
  );
}

function open(team: Team = TEAM) {
  renderAs(NORA, <InPage team={team} />);
  return userEvent.setup();
}

const region = (name: string) => screen.findByRole("region", { name });

it("shows the progress of each challenge, in total and by reader, and past challenges below", async () => {
  open();
  const one = within(await region(WORDS.title));
  expect(one.getByText(/, 36 days left$/)).toBeTruthy();
  expect(one.getByText("of 2M words").parentElement?.textContent).toBe("1.4M of 2M words");
  expect(one.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "Imani Okafor900,000",
    "Nora Lindqvist459,258",
  ]);
  const past = within(await region("Past challenges"));
  expect(past.getByText("Mar 1 - May 31, 2025")).toBeTruthy();
  expect(past.getByText(/26 of 30 books/)).toBeTruthy();
});

it("is set by an owner, in the head of the page", async () => {
  stored = [];
  const user = open();
  expect(await screen.findByText("No challenges yet")).toBeTruthy();
  const [button] = screen.getAllByRole("button", { name: "Create a challenge" });
  await user.click(button as HTMLElement);
  const dialog = within(await screen.findByRole("dialog", { name: "Create a challenge" }));
  await user.click(dialog.getByRole("button", { name: "Create challenge" }));
  expect(await dialog.findByText("The title is required.")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.type(dialog.getByLabelText(/^Title/), " Fifty books ");
  await user.click(dialog.getByLabelText("Books"));
  await user.type(dialog.getByLabelText(/^Target/), "50");
  await user.type(dialog.getByLabelText(/^End Date/), inDays(10));
  await user.click(dialog.getByRole("button", { name: "Create challenge" }));
  await toastSays("Challenge set");
  expect(sent).toEqual([
    { title: "Fifty books", metric: "books", target: 50, startDate: inDays(0), endDate: inDays(10) },
  ]);
  expect(await region("Fifty books")).toBeTruthy();
});

it("is changed and deleted by an admin", async () => {
  const user = open({ ...TEAM, role: "admin" });
  await user.click(await screen.findByRole("button", { name: `Edit ${WORDS.title}` }));
  const target = await screen.findByLabelText<HTMLInputElement>(/^Target/);
  expect(target.value).toBe("2,000,000");
  await user.clear(target);
  await user.type(target, "1,000,000");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await toastSays("Challenge updated");
  expect(await screen.findByText("of 1M words, reached")).toBeTruthy();

  await user.click(screen.getByRole("button", { name: `Edit ${WORDS.title}` }));
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  const question = within(await screen.findByRole("alertdialog", { name: "Delete this challenge?" }));
  await user.click(question.getByRole("button", { name: "Delete Challenge" }));
  await toastSays("Challenge deleted");
  await waitFor(() => expect(screen.queryByRole("region", { name: WORDS.title })).toBeNull());
});

it("is a member's to look at", async () => {
  open({ ...TEAM, role: "member" });
  await region(WORDS.title);
  expect(screen.queryByRole("button", { name: /challenge|Edit/ })).toBeNull();
});

it("without sharing members it shows zero, and says how to begin", async () => {
  preferences = PREFERENCES;
  stored = [{ ...WORDS, members: [], total: 0 }];
  open();
  expect((await screen.findByText("of 2M words")).parentElement?.textContent).toBe("0 of 2M words");
  expect(await screen.findByText(/^No one shares yet\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Share my books" }).getAttribute("href")).toBe("/account?tab=preferences");
});

it("says to a member who does not share that their books are not counted", async () => {
  preferences = PREFERENCES;
  open();
  expect(await screen.findByText(/^You don’t share, so your books are not counted here\./)).toBeTruthy();
});

it("of an unpaid team goes on, but no new one can be created", async () => {
  open({ ...TEAM, subscription: { status: "ended", billingInterval: null, plan: "reader" } });
  await region(WORDS.title);
  expect(screen.getByText(/a new one needs the plan/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Create a challenge" }).disabled).toBe(true);
});

it("that the server refuses stays in its form, with the reason", async () => {
  const why = "The team's subscription has ended. It goes on when it is paid for again.";
  server.use(
    http.post("*/api/teams/challenges", () => HttpResponse.json({ error: why, code: "team_unpaid" }, { status: 409 })),
  );
  const user = open();
  await region(WORDS.title);
  await user.click(screen.getByRole("button", { name: "Create a challenge" }));
  await user.type(await screen.findByLabelText(/^Title/), "Too late");
  await user.type(screen.getByLabelText(/^Target/), "5");
  await user.type(screen.getByLabelText(/^End Date/), inDays(10));
  await user.click(screen.getByRole("button", { name: "Create challenge" }));
  expect(await screen.findByText(why)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe("Too late");
});

it("that cannot be fetched says why, and tries again", async () => {
  server.use(http.get("*/api/teams/challenges", () => HttpResponse.json({ error: "Down." }, { status: 503 })));
  const user = open();
  expect(await screen.findByText(/could not be loaded\.$/)).toBeTruthy();
  expect(screen.getByText("Down.")).toBeTruthy();
  server.resetHandlers();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await region(WORDS.title)).toBeTruthy();
});
