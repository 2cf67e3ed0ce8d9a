import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Preferences, Team, TeamStats } from "../../kit/api/types";
import { ANSWERS, NORA, PREFERENCES, renderAs, toastSays } from "../../test-reader";
import SharedDashboard from "./SharedDashboard";
import { TEAM } from "./test-team";

const STATS: TeamStats = {
  kpis: {
    totalWords: 300_000,
    wordsYtd: 0,
    wordsLast30Days: 0,
    booksRead: 2,
    averageRating: 8.5,
    authors: 2,
    booksYtd: 0,
    booksLast30Days: 0,
    rereads: 0,
    ratedBooks: 2,
  },
  genres: [{ name: "Classics", words: 300_000, books: 2 }],
  authors: [{ name: "Jane Austen", words: 200_000, books: 1 }],
  monthlyWords: [{ month: "2024-06", words: 300_000, books: 2, aboutWords: 0 }],
  formats: [{ format: "eBook", words: 300_000, books: 2, minutes: 0 }],
  shelf: {
    books: [
      ["Emma", 1],
      ["Persuasion", 2],
    ].map(([title, userId]) => ({
      id: Number(userId) * 100,
      userId: Number(userId),
      title: String(title),
      author: "Jane Austen",
      wordCount: 150_000,
      rating: 8,
      format: "eBook" as const,
      genres: ["Classics"],
      startDate: null,
      date: "2024-06-16",
      completedFrom: null,
      reread: false,
    })),
    hidden: 0,
  },
  library: { total: 2, visible: 2, limitedToMonths: null },
  locked: [],
  members: [
    { userId: 2, displayName: "Imani Okafor", words: 200_000, books: 1 },
    { userId: 1, displayName: "Nora Lindqvist", words: 100_000, books: 1 },
  ],
};
const NOBODY: TeamStats = {
  ...STATS,
  kpis: { ...STATS.kpis, totalWords: 0, booksRead: 0, averageRating: null, authors: 0, ratedBooks: 0 },
  genres: [],
  authors: [],
  monthlyWords: [],
  formats: [],
  shelf: { books: [], hidden: 0 },
  library: { total: 0, visible: 0, limitedToMonths: null },
  members: [],
};
const NO_RESULTS: TeamStats = { ...NOBODY, library: STATS.library, members: STATS.members };

let stats: (query: URLSearchParams) => TeamStats = () => STATS;
let stored: Preferences = PREFERENCES;

const server = setupServer(
  http.get("*/api/teams/stats", ({ request }) => HttpResponse.json(stats(new URL(request.url).searchParams))),
  http.get("*/api/teams/stats/options", () => HttpResponse.json({ genres: STATS.genres, authors: [], formats: [] })),
  http.get("*/api/preferences", () => HttpResponse.json({ preferences: stored })),
  http.patch("*/api/preferences", async ({ request }) => {
    stored = { ...stored, ...((await request.json()) as Partial<Preferences>) };
    return HttpResponse.json({ preferences: stored });
  }),
  ...ANSWERS,
);
beforeAll(() => server.listen());
beforeEach(() => {
  stats = () => STATS;
  stored = PREFERENCES;
  window.history.replaceState(null, "", "/team?tab=dashboard");
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(team: Team = TEAM) {
  renderAs(NORA, <SharedDashboard team={team} />);
  return userEvent.setup();
}

/** The figures of the sharing members. */
const shown = () => screen.findByText("out of 10, 2 rated");

it("shows what the sharing members have read, who read it, and how many share", async () => {
  open();
  expect(await shown()).toBeTruthy();
  const shelf = screen.getByRole("region", { name: "The shared shelf" });
  expect(within(shelf).getByText("Imani Okafor").textContent).toBe("Imani Okafor 200.0K");
  expect(within(shelf).getByText(/^Emma, Jane Austen, read by Nora Lindqvist, finished/)).toBeTruthy();
  expect(within(shelf).queryByRole("link")).toBeNull();
  await userEvent.click(within(shelf).getByRole("button", { name: "List" }));
  expect(within(shelf).getByText("Persuasion").nextSibling?.textContent).toBe("Imani Okafor");
  expect(screen.getByText(/^2 of 3 members share\./)).toBeTruthy();
});

it("shows no ranking until it is requested", async () => {
  const user = open();
  const rank = await screen.findByRole("button", { name: "Rank the readers" });
  expect(screen.queryByText("200,000 words, 1 book")).toBeNull();
  await user.click(rank);
  const [first, second] = within(screen.getByRole("list", { name: "Readers by words" })).getAllByRole("listitem");
  expect(first?.textContent).toContain("Imani Okafor200,000 words, 1 book");
  expect(second?.textContent).toContain("Nora Lindqvist100,000 words, 1 book");
});

it("keeps the tab in the address while it filters, and says when nothing is left", async () => {
  const user = open();
  await shown();
  stats = (query) => (query.get("minRating") ? NO_RESULTS : STATS);
  await user.click(screen.getByRole("button", { name: "Rating" }));
  await user.click(await screen.findByRole("radio", { name: "9" }));
  expect(await screen.findByText("No results found")).toBeTruthy();
  expect(window.location.search).toBe("?tab=dashboard&minRating=9");
  expect(screen.getByText("0 of 2 books")).toBeTruthy();
  const [reset] = screen.getAllByRole("button", { name: "Reset Filters" });
  await user.click(reset as HTMLElement);
  await waitFor(() => expect(screen.queryByText("No results found")).toBeNull());
  expect(window.location.search).toBe("?tab=dashboard");
});

it("without sharing members it says what is shared, and one press shares", async () => {
  stats = () => (stored.shareWithTeam ? STATS : NOBODY);
  const user = open();
  expect(await screen.findByText(/Never your impressions, quotes or TBR/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Share my books" }));
  await toastSays("Preferences updated");
  expect(await shown()).toBeTruthy();
  expect(stored.shareWithTeam).toBe(true);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Shared dashboard"));
});

it("is counted again when the reader stops sharing", async () => {
  stored = { ...PREFERENCES, shareWithTeam: true };
  stats = () => (stored.shareWithTeam ? STATS : { ...STATS, members: STATS.members.slice(0, 1) });
  const user = open();
  const share = await screen.findByRole("switch", { name: "Share with my team" });
  expect(share.getAttribute("aria-checked")).toBe("true");
  await user.click(share);
  expect(await screen.findByText(/^1 of 3 members shares\./)).toBeTruthy();
});

it("of members without a finished book waits for the first", async () => {
  stats = () => ({ ...NOBODY, members: STATS.members.map((member) => ({ ...member, words: 0, books: 0 })) });
  open();
  expect(await screen.findByText("No finished books yet")).toBeTruthy();
  expect(await screen.findByRole("switch", { name: "Share with my team" })).toBeTruthy();
});

it("a team without a paid plan shows what the free plan shows", async () => {
  stats = () => ({
    ...STATS,
    authors: null,
    formats: null,
    library: { total: 200, visible: 2, limitedToMonths: 11 },
    locked: ["author_analytics", "format_analytics"],
  });
  open();
  expect(await screen.findByText(/last 11 months\)\. Upgrade to see all 200 books\./)).toBeTruthy();
  await waitFor(() => expect(screen.getAllByText("Premium")).toHaveLength(2));
});

it("that cannot be fetched says why, and tries again", async () => {
  server.use(http.get("*/api/teams/stats", () => HttpResponse.json({ error: "The disk is full." }, { status: 507 })));
  const user = open();
  expect(await screen.findByText(/could not be loaded\.$/)).toBeTruthy();
  expect(screen.getByText("The disk is full.")).toBeTruthy();
  server.resetHandlers();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await shown()).toBeTruthy();
});
