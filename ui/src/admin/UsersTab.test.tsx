import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { ListedUser } from "../kit/api/types";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import { UsersTab } from "./UsersTab";

const someone = (id: number, displayName: string, changes: Partial<ListedUser> = {}): ListedUser => ({
  id,
  displayName,
  email: `${displayName.split(" ")[0]?.toLowerCase()}@example.org`,
  role: "user",
  plan: "reader",
  teamRole: null,
  disabled: false,
  createdAt: "2025-01-01T00:00:00Z",
  lastActive: "2025-11-16T10:00:00Z",
  ...changes,
});

let users: ListedUser[] = [];
let changes: { id: unknown; change: unknown }[] = [];

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  users = [
    someone(NORA.id, "Nora Lindqvist", { role: "admin", lastActive: new Date().toISOString() }),
    someone(2, "Rosa Ibarra"),
    someone(3, "Imani Okafor", { plan: "shelfwise_team", teamRole: "member" }),
    someone(4, "Piet de Wit", { disabled: true, lastActive: null }),
    someone(5, "Mei-Ling Zhao", { role: "admin", plan: "shelfwise_plus" }),
  ];
  changes = [];
  server.use(
    http.get("*/api/admin/users", ({ request }) => {
      const query = new URL(request.url).searchParams;
      const found = users.filter(
        (user) =>
          user.displayName.toLowerCase().includes(query.get("search") ?? "") &&
          (!query.has("plan") || user.plan === query.get("plan")) &&
          (!query.has("role") || user.role === query.get("role")) &&
          (!query.has("disabled") || String(user.disabled) === query.get("disabled")),
      );
      const start = Number(query.get("cursor") ?? 0);
      const data = found.slice(start, start + 3);
      const nextCursor = start + 3 < found.length ? String(start + 3) : null;
      return HttpResponse.json({ data, total: users.length, matching: found.length, nextCursor });
    }),
    http.get("*/api/admin/invitations", () => HttpResponse.json({ data: [] })),
    http.patch("*/api/admin/users/:id", async ({ params, request }) => {
      const change = (await request.json()) as Partial<ListedUser>;
      changes.push({ id: params.id, change });
      users = users.map((user) => (String(user.id) === params.id ? { ...user, ...change } : user));
      return HttpResponse.json({ user: users.find((user) => String(user.id) === params.id) });
    }),
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  server.resetHandlers();
});
afterAll(() => server.close());

const row = async (name: RegExp) => within(await screen.findByRole("row", { name }));
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

async function choose(item: string, about: string) {
  await press(`Actions for ${about}`);
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}

it("lists the users with role, plan and the time when they were last seen", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  const nora = await row(/Nora Lindqvist/);
  for (const text of ["you", "admin", "today"]) expect(nora.getByText(text)).toBeTruthy();
  const rosa = await row(/Rosa Ibarra/);
  for (const text of ["rosa@example.org", "Reader", "user", "Nov 16, 2025"]) expect(rosa.getByText(text)).toBeTruthy();
  expect((await row(/Imani/)).getByText("team member")).toBeTruthy();
});

it("operators have no menu for their own account", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await screen.findByRole("button", { name: "Actions for Rosa Ibarra" });
  expect(screen.queryByRole("button", { name: "Actions for Nora Lindqvist" })).toBeNull();
});

it("shows more users, and then has the focus at their count", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  expect(await screen.findByText("3 of 5 users")).toBeTruthy();
  await press("Show 2 more");
  const piet = await row(/Piet de Wit/);
  expect(piet.getByText("disabled")).toBeTruthy();
  expect(piet.getByText("never")).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("5 of 5 users"));
  expect(screen.queryByRole("button", { name: /^Show / })).toBeNull();
});

it("the answer to a change does not close the dialog that was opened meanwhile", async () => {
  let answer: (() => void) | undefined;
  server.use(
    http.patch("*/api/admin/users/:id", async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return HttpResponse.json({ user: users[1] });
    }),
    http.post("*/api/admin/users/:id/reset-link", () => HttpResponse.json({ url: "https://shelf.test/reset/once" })),
  );
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await choose("Make an operator", "Rosa Ibarra");
  await choose("Password link", "Imani Okafor");
  expect(await screen.findByDisplayValue("https://shelf.test/reset/once")).toBeTruthy();
  answer?.();
  await toastSays("Role Updated");
  expect(screen.getByDisplayValue("https://shelf.test/reset/once")).toBeTruthy();
});

it("is searched and narrowed by plan, role and disabled", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await screen.findByText("3 of 5 users");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Role" }), "disabled");
  expect(await screen.findByText("1 of 1 user")).toBeTruthy();
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Role" }), "admin");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Plan" }), "shelfwise_plus");
  expect(await screen.findByText("mei-ling@example.org")).toBeTruthy();
  await userEvent.type(screen.getByRole("searchbox", { name: "Search users" }), "nobody");
  expect(await screen.findByRole("heading", { name: "No users found" })).toBeTruthy();
});

it("a plan is set by hand", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await choose("Change plan", "Rosa Ibarra");
  const dialog = within(screen.getByRole("dialog", { name: "Change the plan of Rosa Ibarra" }));
  await userEvent.selectOptions(dialog.getByLabelText("Plan"), "shelfwise_plus");
  await userEvent.click(dialog.getByRole("button", { name: "Set Plan" }));
  await toastSays("Plan updated");
  expect(changes).toEqual([{ id: "2", change: { plan: "shelfwise_plus" } }]);
  expect((await row(/Rosa Ibarra/)).getByText("Shelfwise Plus")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("a user becomes an operator, and an operator a user", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await choose("Make an operator", "Rosa Ibarra");
  await toastSays("Role Updated");
  expect((await row(/Rosa Ibarra/)).getByText("admin")).toBeTruthy();
  await choose("Make a user", "Rosa Ibarra");
  await waitFor(() => expect(changes.map(({ change }) => change)).toEqual([{ role: "admin" }, { role: "user" }]));
});

it("disabling asks first; enabling does not, and is reported although the row leaves the list", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await choose("Disable", "Rosa Ibarra");
  const dialog = within(screen.getByRole("alertdialog", { name: "Disable Rosa Ibarra?" }));
  expect(changes).toEqual([]);
  await userEvent.click(dialog.getByRole("button", { name: "Disable" }));
  await toastSays("User disabled");
  users = users.filter(({ id }) => id !== 4);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Role" }), "disabled");
  await screen.findByText("1 of 1 user");
  await choose("Enable", "Rosa Ibarra");
  await toastSays("User enabled");
  expect(screen.getByRole("heading", { name: "No users found" })).toBeTruthy();
  expect(changes.map(({ change }) => change)).toEqual([{ disabled: true }, { disabled: false }]);
});

it("a refusal is shown in the server's words", async () => {
  const refusal = { error: "The last operator can't be demoted.", code: "last_operator" };
  server.use(http.patch("*/api/admin/users/:id", () => HttpResponse.json(refusal, { status: 409 })));
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await choose("Make an operator", "Rosa Ibarra");
  await toastSays("Update Failed");
  expect(screen.getByText(refusal.error)).toBeTruthy();
});

it("a password link is shown once, and another time is another link", async () => {
  let made = 0;
  server.use(
    http.post("*/api/admin/users/2/reset-link", () => {
      made += 1;
      return HttpResponse.json({ url: `https://books.example.org/reset-password/link-${made}` });
    }),
  );
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await choose("Password link", "Rosa Ibarra");
  const field = await screen.findByLabelText<HTMLInputElement>("Link");
  expect(field.value).toBe("https://books.example.org/reset-password/link-1");
  expect(field.readOnly).toBe(true);
  await press("Done");
  expect(screen.queryByDisplayValue(/link-1/)).toBeNull();
  await choose("Password link", "Rosa Ibarra");
  await screen.findByDisplayValue(/link-2/);
  expect(screen.queryByDisplayValue(/link-1/)).toBeNull();
});

it("on a narrow screen the users are rows of text, with the same menu", async () => {
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  expect(await screen.findAllByText("Seen Nov 16, 2025")).toHaveLength(2);
  expect(screen.queryByRole("table")).toBeNull();
  await press("Actions for Rosa Ibarra");
  expect(await screen.findByRole("menuitem", { name: "Change plan" })).toBeTruthy();
});

it("an operator sees a user's amounts beside the quotas, a limit of 0 as unlimited", async () => {
  const usage = {
    books: 1_204,
    listItems: 37,
    textBytes: 5 * 1024 * 1024,
    quotas: { books: 100_000, listItems: 0, textBytes: 200 * 1024 * 1024 },
  };
  server.use(http.get("*/api/admin/users/2/usage", () => HttpResponse.json({ usage })));
  renderAs(NORA, <UsersTab />);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Rosa Ibarra" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Usage" }));
  const dialog = within(await screen.findByRole("dialog", { name: "What Rosa Ibarra stores" }));
  await dialog.findByText("1,204");
  expect(dialog.getAllByRole("definition").map((row) => row.textContent)).toEqual([
    "1,204of 100,000",
    "37",
    "5.0 MBof 200.0 MB",
  ]);
});
