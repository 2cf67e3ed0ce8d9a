import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { useSite } from "../access/site";
import { useSubscription } from "../access/subscription";
import type { SettingsResponse } from "../kit/api/types";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import { ServerTab } from "./ServerTab";
import { everyInWords } from "./settings";

const OPERATOR = { ...NORA, role: "admin" as const };

let answer: SettingsResponse;
/** The bodies that were sent, in order. */
let sent: unknown[];
/** How often each address was fetched. */
let asked: string[];

const server = setupServer(
  http.get("*/api/admin/settings", () => HttpResponse.json(answer)),
  http.patch("*/api/admin/settings", async ({ request }) => {
    const body = (await request.json()) as Partial<SettingsResponse["settings"]>;
    sent.push(body);
    const { limits, backup } = answer.settings;
    const settings = {
      ...answer.settings,
      ...body,
      limits: { ...limits, ...body.limits },
      backup: { ...backup, ...body.backup },
    };
    answer = { ...answer, settings };
    return HttpResponse.json(answer);
  }),
  ...ANSWERS,
);
server.events.on("request:start", ({ request }) => {
  asked.push(new URL(request.url).pathname);
});
beforeAll(() => server.listen());
beforeEach(() => {
  localStorage.clear();
  sent = [];
  asked = [];
  answer = {
    settings: {
      instance: "public",
      name: null,
      signup: "open",
      defaultPlan: "reader",
      limits: { books: 100_000, listItems: 10_000, textMb: 200 },
      backup: { to: null, keep: 14, every: "1d" },
      lookup: { sources: ["openlibrary"], contact: null, covers: true, coverQuota: 100 },
    },
    fixed: [],
  };
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** The rest of the interface, which shows what depends on the settings. */
function Elsewhere() {
  useSite();
  useSubscription();
  return null;
}

async function open() {
  const page = renderAs(
    OPERATOR,
    <>
      <Elsewhere />
      <ServerTab />
    </>,
  );
  await screen.findByRole("heading", { name: "The server" });
  return page;
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>("radio", { name });
const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save Settings" });

async function type(label: string, text: string) {
  await userEvent.clear(field(label));
  if (text) await userEvent.type(field(label), text);
}

it("shows the settings that count, and has nothing to save", async () => {
  await open();
  expect(field("Name").value).toBe("");
  expect(radio(/^The plans/).checked).toBe(true);
  expect(radio(/^Anyone/).checked).toBe(true);
  expect(field("Books").value).toBe("100000");
  expect(field("Folder").value).toBe("");
  expect(within(field("How often")).getByRole<HTMLOptionElement>("option", { name: "Every day" }).selected).toBe(true);
  expect(save().disabled).toBe(true);
});

it("sends only what was changed, and then the site and the subscription are asked for again", async () => {
  await open();
  await waitFor(() => expect(asked).toEqual(expect.arrayContaining(["/api/site", "/api/subscriptions/current"])));
  await type("Name", " The Okafor shelf ");
  await userEvent.click(radio(/^Everything/));
  await type("Items on the to-be-read list", "500");
  await type("Folder", "/var/backups/shelfwise");
  await userEvent.selectOptions(field("How often"), "Every 12 hours");
  asked = [];
  await userEvent.click(save());
  await toastSays("Settings saved");
  expect(sent).toEqual([
    {
      name: "The Okafor shelf",
      instance: "private",
      limits: { listItems: 500 },
      backup: { to: "/var/backups/shelfwise", every: "12h" },
    },
  ]);
  await waitFor(() => expect(asked).toEqual(expect.arrayContaining(["/api/site", "/api/subscriptions/current"])));
  expect(field("Name").value).toBe("The Okafor shelf");
  expect(save().disabled).toBe(true);
  expect(document.activeElement).toBe(screen.getByRole("form", { name: "Settings of the server" }));
});

it("an emptied name and folder go back to the default", async () => {
  const { backup } = answer.settings;
  answer = { ...answer, settings: { ...answer.settings, name: "Shelf", backup: { ...backup, to: "/b" } } };
  await open();
  await type("Name", "");
  await type("Folder", "");
  await userEvent.click(save());
  await toastSays("Settings saved");
  expect(sent).toEqual([{ name: null, backup: { to: null } }]);
});

it("the folder for backups is checked before it is saved", async () => {
  server.use(
    http.post("*/api/admin/backup-folder", () =>
      HttpResponse.json({ isMissing: false, freeBytes: 10_000_000, databaseBytes: 1_000_000 }),
    ),
  );
  await open();
  await type("Folder", "/b");
  await userEvent.click(screen.getByRole("button", { name: "Check" }));
  expect(await screen.findByText("There is room for 10 of them: 9.5 MB free.")).toBeTruthy();
  // Whether there is room depends on how many stay.
  await type("How many stay", "7");
  expect(await screen.findByText("There is room for them: 9.5 MB free.")).toBeTruthy();
  expect(sent).toEqual([]);
});

it("the plan of accounts without a subscription is asked for on a public server only", async () => {
  await open();
  await userEvent.selectOptions(field("Plan without a subscription"), "Shelfwise Plus");
  await userEvent.click(radio(/^Everything/));
  expect(screen.queryByLabelText("Plan without a subscription")).toBeNull();
  await userEvent.click(save());
  await toastSays("Settings saved");
  expect(sent).toEqual([{ instance: "private" }]);
});

it("what the config file, the environment or a flag sets is shown and can't be changed", async () => {
  answer = {
    settings: { ...answer.settings, signup: "invite", backup: { to: "/srv/backups", keep: 14, every: "36h" } },
    fixed: ["instance", "signup", "limits.books", "backup.to", "backup.every"],
  };
  await open();
  for (const name of [/^Everything/, /^The plans/, /^By invitation/, /^Anyone/])
    expect(radio(name).disabled).toBe(true);
  for (const label of ["Books", "Folder", "How often"]) expect(field(label).disabled).toBe(true);
  expect(radio(/^By invitation/).checked).toBe(true);
  expect(field("Folder").value).toBe("/srv/backups");
  expect(within(field("How often")).getByRole<HTMLOptionElement>("option", { name: "Every 36 hours" }).selected).toBe(
    true,
  );
  expect(screen.getAllByText("Set in the config file, the environment or by a flag")).toHaveLength(5);
  expect(field("Name").disabled).toBe(false);
});

it("a refusal stands at its field, and nothing that was typed is lost", async () => {
  const refusal = {
    error: "Some values are not valid.",
    code: "invalid",
    fields: { "backup.to": "The server can't write to this folder: Permission denied." },
  };
  server.use(http.patch("*/api/admin/settings", () => HttpResponse.json(refusal, { status: 422 }), { once: true }));
  await open();
  await type("Name", "Shelf");
  await type("Folder", "/srv/backups");
  await userEvent.click(save());
  expect(await screen.findByText(refusal.fields["backup.to"])).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toBe(refusal.error);
  expect(field("Folder").getAttribute("aria-invalid")).toBe("true");
  await waitFor(() => expect(document.activeElement).toBe(field("Folder")));
  expect([field("Name").value, field("Folder").value]).toEqual(["Shelf", "/srv/backups"]);
  await type("Folder", "/srv/backups");
  await userEvent.click(save());
  await toastSays("Settings saved");
  expect(sent).toEqual([{ name: "Shelf", backup: { to: "/srv/backups" } }]);
});

it("a text that is not a whole number is not sent", async () => {
  await open();
  for (const text of ["", "many", "-1", "1.5"]) {
    await type("How many stay", text);
    await userEvent.click(save());
    expect(screen.getByText("Enter a whole number.")).toBeTruthy();
  }
  expect(document.activeElement).toBe(field("How many stay"));
  expect(sent).toEqual([]);
});

it("a setting that was fixed meanwhile is named, and shown as fixed", async () => {
  const refusal = {
    error: "The config file, the environment or a flag sets this. Change it there.",
    code: "setting_fixed",
    setting: "signup",
  };
  await open();
  await type("Name", "Shelf");
  await userEvent.click(radio(/^Only accounts/));
  server.use(
    http.patch("*/api/admin/settings", () => HttpResponse.json(refusal, { status: 409 }), { once: true }),
    http.get("*/api/admin/settings", () =>
      HttpResponse.json({ settings: { ...answer.settings, signup: "invite" }, fixed: ["signup"] }),
    ),
  );
  await userEvent.click(save());
  expect((await screen.findByRole("alert")).textContent).toBe(`signup: ${refusal.error}`);
  await waitFor(() => expect(radio(/^By invitation/).checked).toBe(true));
  expect(radio(/^By invitation/).disabled).toBe(true);
  await userEvent.click(save());
  await toastSays("Settings saved");
  expect(sent).toEqual([{ name: "Shelf" }]);
});

it("settings that can't be fetched are asked for again", async () => {
  server.use(http.get("*/api/admin/settings", () => HttpResponse.json({ error: "Out of order." }, { status: 500 })));
  renderAs(OPERATOR, <ServerTab />);
  expect(await screen.findByText("Out of order.")).toBeTruthy();
  server.resetHandlers();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { name: "The server" })).toBeTruthy();
});

it.each([
  ["1h", "Every hour"],
  ["12h", "Every 12 hours"],
  ["90s", "Every 90 seconds"],
  ["7d", "Every 7 days"],
  ["now and then", "now and then"],
])("the interval %s is %s", (every, words) => {
  expect(everyInWords(every)).toBe(words);
});

it("what was typed is there at the next visit, until it is saved", async () => {
  const first = await open();
  await type("Name", "The Okafor shelf");
  first.unmount();
  // Another setting was changed elsewhere meanwhile.
  answer = { ...answer, settings: { ...answer.settings, limits: { ...answer.settings.limits, books: 500 } } };
  const second = await open();
  expect(field("Name").value).toBe("The Okafor shelf");
  expect(field("Books").value).toBe("500");
  expect(screen.getByText(/Restored what you had typed before/)).toBeTruthy();
  await userEvent.click(save());
  await toastSays("Settings saved");
  expect(sent).toEqual([{ name: "The Okafor shelf" }]);
  second.unmount();
  await open();
  expect(screen.queryByText(/Restored what you had typed before/)).toBeNull();
});
