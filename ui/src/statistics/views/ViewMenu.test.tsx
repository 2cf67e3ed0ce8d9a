import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import { NORA, renderAs } from "../../test-reader";
import { pageServer } from "../../test-server";
import { UNFILTERED } from "../filters/filter";
import { ViewMenu } from "./ViewMenu";

let views: { name: string; query: string; position: number | null }[] = [];
let sent: unknown[] = [];
beforeEach(() => {
  sent = [];
  views = [
    { name: "Audio only", query: "formats=Audio", position: 0 },
    { name: "Good ones", query: "minRating=9", position: null },
  ];
});
const server = pageServer(
  "/dashboard",
  http.get("*/api/views", () => HttpResponse.json({ data: views })),
  http.post("*/api/views", async ({ request }) => {
    const view = (await request.json()) as { name: string; query: string };
    sent.push(view);
    if (views.some(({ name }) => name === view.name)) {
      const error = "You have a view of that name.";
      return HttpResponse.json({ error, code: "conflict" }, { status: 409 });
    }
    views = [...views, { ...view, position: null }];
    return HttpResponse.json({ view: views.at(-1) }, { status: 201 });
  }),
  http.patch("*/api/views/:name", async ({ request, params }) => {
    const change = (await request.json()) as { name?: string; position?: number | null };
    sent.push([params.name, change]);
    views = views.map((view) => (view.name === params.name ? { ...view, ...change } : view));
    return HttpResponse.json({ view: views[0] });
  }),
  http.delete("*/api/views/:name", ({ params }) => {
    views = views.filter(({ name }) => name !== params.name);
    return new HttpResponse(null, { status: 204 });
  }),
);

const AUDIO = { ...UNFILTERED, formats: ["Audio"] } as const;
const open = async () => {
  await userEvent.click(await screen.findByRole("button", { name: /^View: / }));
  return screen.findAllByRole("menuitem");
};

it("lists the pinned views first, and names the one that is shown", async () => {
  renderAs(NORA, <ViewMenu filter={AUDIO} />);
  expect(await screen.findByRole("button", { name: "View: Audio only" })).toBeTruthy();
  const items = await open();
  expect(items.map(({ textContent }) => textContent)).toEqual(["All books", "Audio only", "Good ones", "Edit views"]);
  expect(items[2]?.getAttribute("href")).toBe("/dashboard?minRating=9");
});

it("keeps a filter under a name that no other view has", async () => {
  renderAs(NORA, <ViewMenu filter={{ ...AUDIO, minRating: 9 }} />);
  await open();
  await userEvent.click(screen.getByRole("menuitem", { name: "Save as view" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), "Good ones");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have a view of that name.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText(/^Name/), " to hear");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByRole("button", { name: "View: Good ones to hear" })).toBeTruthy();
  expect(sent.at(-1)).toEqual({ name: "Good ones to hear", query: "formats=Audio&minRating=9" });
});

it("pins, renames and deletes", async () => {
  renderAs(NORA, <ViewMenu filter={AUDIO} />);
  await open();
  await userEvent.click(screen.getByRole("menuitem", { name: "Edit views" }));
  await userEvent.click(await screen.findByRole("button", { name: "Pin Good ones" }));
  await expect.poll(() => sent).toEqual([["Good ones", { position: 1 }]]);
  await userEvent.click(screen.getByRole("button", { name: "Delete Good ones" }));
  await expect.poll(() => within(screen.getByRole("dialog")).getAllByRole("listitem").length).toBe(1);
});

it("the focus returns to the list when the button that had it goes with the former name", async () => {
  renderAs(NORA, <ViewMenu filter={AUDIO} />);
  await open();
  await userEvent.click(screen.getByRole("menuitem", { name: "Edit views" }));
  await userEvent.click(await screen.findByRole("button", { name: "Rename Good ones" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), " to hear");
  await userEvent.click(screen.getByRole("button", { name: "Rename" }));
  const renamed = await screen.findByRole("button", { name: "Rename Good ones to hear" });
  await expect.poll(() => document.activeElement?.contains(renamed) && document.activeElement.tagName).toBe("UL");
});

it("the dialog stays when its last view is deleted", async () => {
  views = views.slice(0, 1);
  renderAs(NORA, <ViewMenu filter={UNFILTERED} />);
  await open();
  await userEvent.click(screen.getByRole("menuitem", { name: "Edit views" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete Audio only" }));
  await expect.poll(() => screen.queryAllByRole("listitem")).toEqual([]);
  expect(screen.getByRole("dialog").contains(document.activeElement)).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("button", { name: /^View: / })).toBeNull();
});

it("a view that is kept without an answer is asked for once, and is in the menu", async () => {
  server.use(
    http.post("*/api/views", async ({ request }) => {
      sent.push(await request.json());
      views = [...views, { name: "Mine", query: "formats=Audio&minRating=9", position: null }];
      return HttpResponse.error();
    }),
  );
  renderAs(NORA, <ViewMenu filter={{ ...AUDIO, minRating: 9 }} />);
  await open();
  await userEvent.click(screen.getByRole("menuitem", { name: "Save as view" }));
  await userEvent.type(await screen.findByLabelText(/^Name/), "Mine");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("The server can’t be reached.", {}, { timeout: 3_000 })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("button", { name: "View: Mine" })).toBeTruthy();
  expect(sent).toHaveLength(1);
});
