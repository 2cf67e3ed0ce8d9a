import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Share } from "../kit/api/types";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import Links from "./Links";
import ShareDialog from "./ShareDialog";

const URL_OF_LINK = "https://books.example.org/s/example-only";
const YEAR: Share = {
  id: 7,
  kind: "review",
  parts: ["dates"],
  period: "2026",
  tag: null,
  createdAt: "2026-10-01T10:00:00Z",
  expiresAt: null,
  lastSeen: null,
};
const MONTH: Share = {
  ...YEAR,
  id: 6,
  parts: ["ratings", "name"],
  period: "2025-11",
  expiresAt: "2025-12-01T10:00:00Z",
  lastSeen: "2025-11-20T10:00:00Z",
};

let kept: Share[] = [];
const asked: unknown[] = [];
const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  kept = [YEAR, MONTH];
  asked.length = 0;
  server.use(http.get("*/api/shares", () => HttpResponse.json({ data: kept })));
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

async function choose(link: string, item: string) {
  await press(`Actions for ${link}`);
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

it("the dialog says what will be seen while switches are turned, and shows the address once", async () => {
  const onClose = vi.fn();
  server.use(
    http.post("*/api/shares", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ share: { ...YEAR, parts: ["dates", "series"] }, url: URL_OF_LINK }, { status: 201 });
    }),
  );
  renderAs(NORA, <ShareDialog period="2026" onClose={onClose} />);
  const says = await screen.findByText(/^Anyone with this link sees/);
  expect(says.textContent).toContain("title, author, number of words and day of the books finished in 2026.");
  expect(says.textContent).toContain("Not your ratings, impressions, covers, series, name, TBR or email address.");
  await userEvent.click(screen.getByRole("switch", { name: "Series" }));
  expect(says.textContent).toContain("number of words, day and series of the books");
  await press("Create link");
  expect(await screen.findByDisplayValue(URL_OF_LINK)).toBeTruthy();
  expect(asked).toEqual([{ kind: "review", period: "2026", parts: ["dates", "series"], expiresAt: null }]);
  await press("Done");
  expect(onClose).toHaveBeenCalledOnce();
});

it("a link ends with the last second of the chosen day, and a refusal stays in the dialog", async () => {
  server.use(
    http.post("*/api/shares", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json(
        { error: "An account can have at most 50 links.", code: "too_many_shares" },
        { status: 409 },
      );
    }),
  );
  renderAs(NORA, <ShareDialog period="2026-11" onClose={() => {}} />);
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Ends" }), "On a day");
  const day = screen.getByLabelText(/^Last day/);
  await userEvent.clear(day);
  await userEvent.type(day, "2099-12-01");
  await press("Create link");
  expect(await screen.findByText("An account can have at most 50 links.")).toBeTruthy();
  expect(asked).toEqual([
    expect.objectContaining({ period: "2026-11", expiresAt: expect.stringMatching(/^2099-12-0\dT\d\d:59:59/) }),
  ]);
  expect(screen.queryByLabelText("Address")).toBeNull();
});

it("each link says what it shows, when it was opened and when it ends", async () => {
  renderAs(NORA, <Links />);
  expect(await screen.findByText("With days. Not opened yet. No end date")).toBeTruthy();
  const month = screen.getByText(/^With ratings and your name/);
  expect(month.textContent).toBe("With ratings and your name. Last opened on Nov 20, 2025. Ended on Dec 1, 2025");
  expect(screen.getAllByText("ended")).toHaveLength(1);
});

it("a link is taken back after a question", async () => {
  server.use(
    http.delete("*/api/shares/:id", ({ params }) => {
      kept = kept.filter(({ id }) => id !== Number(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAs(NORA, <Links />);
  await choose("2026 in review", "Take back");
  const question = await screen.findByRole("alertdialog", { name: "Take this link back?" });
  await userEvent.click(within(question).getByRole("button", { name: "Take it back" }));
  await toastSays("Link taken back");
  await waitFor(() => expect(screen.queryByText("2026 in review")).toBeNull());
  expect(screen.getByText("Nov 2025 in review")).toBeTruthy();
  const other = screen.getByRole("button", { name: "Actions for Nov 2025 in review" });
  await waitFor(() => expect(document.activeElement).toBe(other));
});

it("a renewed link shows its new address, and a changed one keeps its end", async () => {
  server.use(
    http.post("*/api/shares/7/renew", () => HttpResponse.json({ share: YEAR, url: URL_OF_LINK })),
    http.patch("*/api/shares/7", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ share: YEAR });
    }),
  );
  kept = [{ ...YEAR, expiresAt: "2099-12-01T12:00:00Z" }];
  renderAs(NORA, <Links />);
  await choose("2026 in review", "Renew the link");
  await press("Renew");
  expect(await screen.findByDisplayValue(URL_OF_LINK)).toBeTruthy();
  await press("Done");
  const actions = screen.getByRole("button", { name: "Actions for 2026 in review" });
  await waitFor(() => expect(document.activeElement).toBe(actions));
  await choose("2026 in review", "What it shows");
  expect((await screen.findByLabelText<HTMLInputElement>(/^Last day/)).value).toBe("Dec 1, 2099");
  await userEvent.click(screen.getByRole("switch", { name: "Dates" }));
  await press("Save");
  await toastSays("Link changed");
  expect(asked).toEqual([{ parts: [] }]);
});

it("a link that has ended stays ended when its parts change, and works again with a later end", async () => {
  server.use(
    http.patch("*/api/shares/6", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ share: MONTH });
    }),
  );
  renderAs(NORA, <Links />);
  await choose("Nov 2025 in review", "What it shows");
  expect(await screen.findByText("This link has ended. It works again only with a later end.")).toBeTruthy();
  expect((await screen.findByLabelText<HTMLInputElement>(/^Last day/)).value).toBe("Dec 1, 2025");
  await userEvent.click(screen.getByRole("switch", { name: "Dates" }));
  await press("Save");
  await toastSays("Link changed");
  await choose("Nov 2025 in review", "What it shows");
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Ends" }), "Never, until I take it back");
  await press("Save");
  await waitFor(() =>
    expect(asked).toEqual([{ parts: ["ratings", "name", "dates"] }, { parts: ["ratings", "name"], expiresAt: null }]),
  );
});

/** Answers the creation of links, and keeps what was asked. */
const makesLinks = () =>
  server.use(
    http.get("*/api/tags", () => HttpResponse.json({ data: [{ name: "owned", books: 3, shelf: false, icon: null }] })),
    http.get("*/api/tbr", () =>
      HttpResponse.json({ data: [{ tags: ["gifts", "Wave 10", "Wave 2"] }, { tags: ["Gifts", "émigrés"] }] }),
    ),
    http.post("*/api/shares", async ({ request }) => {
      const share = (await request.json()) as Partial<Share>;
      asked.push(share);
      if (share.kind === "tag" && !share.tag) {
        const fields = { tag: "This link needs a tag." };
        return HttpResponse.json({ error: "The link is not valid.", code: "invalid", fields }, { status: 422 });
      }
      kept = [{ ...YEAR, period: null, ...share, id: 8 }];
      return HttpResponse.json({ share: kept[0], url: URL_OF_LINK }, { status: 201 });
    }),
  );

const pick = async (field: string, choice: string) =>
  userEvent.selectOptions(await screen.findByRole("combobox", { name: field }), choice);

it("a feed is made from the list of links, and shows the addresses for programs", async () => {
  kept = [];
  makesLinks();
  renderAs(NORA, <Links />);
  expect(await screen.findByText("No links yet.")).toBeTruthy();
  await press("Create link");
  await pick("What to share", "Finished books, as a feed");
  expect(screen.queryByRole("switch", { name: "Dates" })).toBeNull();
  expect(screen.getByText(/^Anyone with this link sees: title, author and day of the 50 books/)).toBeTruthy();
  await userEvent.click(screen.getByRole("switch", { name: "Ratings" }));
  await userEvent.click(
    within(screen.getByRole("dialog", { name: "Create a link" })).getByRole("button", { name: "Create link" }),
  );
  expect(await screen.findByLabelText("Atom feed")).toHaveProperty("value", `${URL_OF_LINK}/feed.atom`);
  expect(screen.getByLabelText("JSON feed")).toHaveProperty("value", `${URL_OF_LINK}/feed.json`);
  expect(asked).toEqual([{ kind: "feed", parts: ["dates", "ratings"], expiresAt: null }]);
  await press("Done");
  expect(await screen.findByText("A feed, with ratings and days. Not opened yet. No end date")).toBeTruthy();
});

it("a link to a tag needs one, and a link to the list may have one of the list", async () => {
  makesLinks();
  renderAs(NORA, <ShareDialog onClose={() => {}} />);
  await pick("What to share", "The books with a tag");
  expect(await screen.findByRole("option", { name: "owned" })).toBeTruthy();
  await press("Create link");
  expect(await screen.findByText("This link needs a tag.")).toBeTruthy();
  await pick("What to share", "Your TBR, as a wish list");
  await pick("Tag", "gifts");
  const tags = within(screen.getByRole("combobox", { name: "Tag" })).getAllByRole("option");
  expect(tags.map(({ textContent }) => textContent)).toEqual(["All of it", "émigrés", "gifts", "Wave 2", "Wave 10"]);
  expect(screen.getByText(/title and author of the books on your TBR with the tag ‘gifts’/)).toBeTruthy();
  await press("Create link");
  expect(await screen.findByLabelText("Address")).toHaveProperty("value", URL_OF_LINK);
  expect(asked.at(-1)).toEqual({ kind: "list", tag: "gifts", parts: [], expiresAt: null });
});
