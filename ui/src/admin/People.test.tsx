import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ANSWERS, NORA, PRIVATE, renderAs } from "../test-reader";
import { newPassword } from "./model";
import { UsersTab } from "./UsersTab";

const URL_OF_LINK = "https://books.example.org/reset-password/a-token_1";
const INVITATION = {
  id: 7,
  email: "greta@example.org",
  createdAt: "2025-11-18T10:00:00Z",
  expiresAt: "2025-11-25T10:00:00Z",
};

let added: { password?: string }[] = [];
let invitations: (typeof INVITATION)[] = [];

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  localStorage.clear();
  added = [];
  invitations = [];
  server.use(
    http.get("*/api/admin/users", () => HttpResponse.json({ data: [], total: 1, matching: 0, nextCursor: null })),
    http.get("*/api/admin/invitations", () => HttpResponse.json({ data: invitations })),
    http.post("*/api/admin/users", async ({ request }) => {
      const body = (await request.json()) as { displayName: string; password?: string };
      added.push(body);
      const user = { ...NORA, displayName: body.displayName };
      return HttpResponse.json({ user, url: body.password ? null : URL_OF_LINK }, { status: 201 });
    }),
    http.post("*/api/admin/invitations", () => {
      invitations = [INVITATION];
      return HttpResponse.json({ invitation: INVITATION, url: "https://books.example.org/invite/t" }, { status: 201 });
    }),
    http.delete("*/api/admin/invitations/:id", () => {
      invitations = [];
      return new HttpResponse(null, { status: 204 });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

async function add(...choices: string[]) {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await press("Add someone");
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText("Display name"), "Greta");
  await userEvent.type(dialog.getByLabelText("Email"), "greta@example.org");
  for (const choice of choices) await userEvent.click(dialog.getByLabelText(choice));
  await press("Add");
}

it("adds someone with a link to send", async () => {
  await add();
  const dialog = within(await screen.findByRole("dialog", { name: "An account for Greta" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Link").value).toBe(URL_OF_LINK);
  expect(added).toEqual([{ displayName: "Greta", email: "greta@example.org", role: "user" }]);
});

it("adds an operator with a password, which is shown once", async () => {
  await add("A password that is made now", "Operator of this server, too");
  const dialog = within(await screen.findByRole("dialog", { name: "An account for Greta" }));
  const shown = dialog.getByLabelText<HTMLInputElement>("Password").value;
  expect(shown).toMatch(/^(\w{4}-){3}\w{4}$/);
  expect(added).toMatchObject([{ role: "admin", password: shown }]);
  await press("Done");
  expect(screen.queryByDisplayValue(shown)).toBeNull();
});

it("a refused account names the field", async () => {
  server.use(
    http.post("*/api/admin/users", () =>
      HttpResponse.json(
        { error: "An account with this email address exists already.", code: "email_taken" },
        { status: 409 },
      ),
    ),
  );
  await add();
  expect((await screen.findByRole("alert")).textContent).toContain("exists already");
});

it("invites an address, lists the invitation, and takes it back", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await press("Invite");
  await userEvent.type(await screen.findByLabelText("Email"), "greta@example.org");
  await press("Create invitation");
  expect(await screen.findByDisplayValue("https://books.example.org/invite/t")).toBeTruthy();
  await press("Done");
  expect(await screen.findByText("greta@example.org")).toBeTruthy();
  await press(/^Take back the invitation: greta@example.org/);
  await screen.findByText("Invitation taken back");
  expect(screen.queryByRole("button", { name: /^Take back/ })).toBeNull();
});

it("a new password is long, and another every time", () => {
  const made = new Set(Array.from({ length: 100 }, newPassword));
  expect(made.size).toBe(100);
  for (const password of made) expect(password).toHaveLength(19);
});

it("without passwords an operator invites, and adds no one", async () => {
  server.use(http.get("*/api/site", () => HttpResponse.json({ ...PRIVATE, signup: "invite", passwordLogin: false })));
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  await screen.findByRole("button", { name: "Invite" });
  expect(screen.queryByRole("button", { name: "Add someone" })).toBeNull();
});

it("a dialog that was closed by mistake keeps what was typed, and Cancel removes it", async () => {
  renderAs({ ...NORA, role: "admin" }, <UsersTab />);
  for (const [button, label] of [
    ["Invite", "Email"],
    ["Add someone", "Display name"],
  ] as const) {
    await press(button);
    await userEvent.type(await screen.findByLabelText(label), "greta");
    await userEvent.keyboard("{Escape}");
    await press(button);
    expect(await screen.findByLabelText(label)).toHaveProperty("value", "greta");
    await press("Cancel");
    await press(button);
    expect(await screen.findByLabelText(label)).toHaveProperty("value", "");
    await press("Cancel");
  }
});
