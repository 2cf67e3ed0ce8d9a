import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Route } from "wouter";
import { ANSWERS, NORA, renderAs } from "../test-reader";
import SetupPage from "./SetupPage";

const CODE = "abcdefghijklmnopqrstuvwxyz234567";

let sent: { code: unknown; body: object }[] = [];

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  sent = [];
  server.use(
    http.get("*/api/setup/:code", ({ params }) =>
      params.code === CODE
        ? HttpResponse.json({})
        : HttpResponse.json({ error: "There is nothing at this address.", code: "not_found" }, { status: 404 }),
    ),
    http.post("*/api/setup/:code", async ({ params, request }) => {
      sent.push({ code: params.code, body: (await request.json()) as object });
      return HttpResponse.json({ user: { ...NORA, role: "admin" } }, { status: 201 });
    }),
  );
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(address: string) {
  window.history.replaceState(null, "", address);
  renderAs(
    null,
    <>
      <Route path="/setup" component={SetupPage} />
      <Route path="/setup/:code" component={SetupPage} />
    </>,
  );
}

async function fillIn() {
  await userEvent.type(await screen.findByLabelText("Display name"), "Nora");
  await userEvent.type(screen.getByLabelText("Email"), "nora@example.org");
  await userEvent.type(screen.getByLabelText("Password"), "a shelf of my own");
}

const submit = () => userEvent.click(screen.getByRole("button", { name: "Open the Shelf" }));

it("with the code in its address it asks for four things, and says what was set up", async () => {
  open(`/setup/${CODE}`);
  await fillIn();
  expect(screen.queryByLabelText("Setup code")).toBeNull();
  await userEvent.type(screen.getByLabelText("Name"), "The Okafor shelf");
  await userEvent.type(screen.getByLabelText("Backups"), "/backups");
  await submit();
  expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("The Okafor shelf is open");
  expect(screen.getByText("Once a day into /backups, the last 14 are kept")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Invite someone" }).getAttribute("href")).toBe("/admin?tab=users");
  expect(sent).toHaveLength(1);
  expect(sent[0]?.code).toBe(CODE);
  expect(sent[0]?.body).toMatchObject({
    displayName: "Nora",
    email: "nora@example.org",
    password: "a shelf of my own",
    instance: "private",
    name: "The Okafor shelf",
    publicUrl: window.location.origin,
    signup: "invite",
    backupTo: "/backups",
  });
});

it("says how much room a folder for backups has, and why the server can’t write to one", async () => {
  const GB = 1024 ** 3;
  const asked: unknown[] = [];
  server.use(
    http.post("*/api/setup/:code/backup-folder", async ({ request }) => {
      const { to } = (await request.json()) as { to: string };
      asked.push(to);
      if (to === "/proc")
        return HttpResponse.json(
          { error: "A value is wrong.", code: "invalid", fields: { to: "The server can't write to this folder." } },
          { status: 422 },
        );
      return HttpResponse.json({ isMissing: true, freeBytes: 112 * GB, databaseBytes: to === "/small" ? 40 * GB : GB });
    }),
  );
  open(`/setup/${CODE}`);
  const folder = await screen.findByLabelText("Backups");
  const check = () => screen.getByRole<HTMLButtonElement>("button", { name: "Check" });
  expect(check().disabled).toBe(true);
  await userEvent.type(folder, "/backups ");
  await userEvent.click(check());
  expect(await screen.findByText("There is room for them: 112 GB free. The server makes the folder.")).toBeTruthy();
  await userEvent.clear(folder);
  expect(screen.queryByText(/There is room/)).toBeNull();
  await userEvent.type(folder, "/small");
  await userEvent.click(check());
  expect(await screen.findByText(/There is room for 2 of them/)).toBeTruthy();
  await userEvent.clear(folder);
  await userEvent.type(folder, "/proc");
  await userEvent.click(check());
  expect(await screen.findByText("The server can't write to this folder.")).toBeTruthy();
  expect(folder.getAttribute("aria-invalid")).toBe("true");
  expect(asked).toEqual(["/backups", "/small", "/proc"]);
});

it("without a code it asks for one, and a wrong one is named in its field", async () => {
  open("/setup");
  await fillIn();
  server.use(
    http.post("*/api/setup/:code", () =>
      HttpResponse.json({ error: "There is nothing at this address.", code: "not_found" }, { status: 404 }),
    ),
  );
  await userEvent.type(screen.getByLabelText("Setup code"), "no code");
  await submit();
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("Not yet: 1 field needs another look. Nothing was set up.");
  expect(screen.getByLabelText("Setup code").getAttribute("aria-invalid")).toBe("true");
  expect(document.activeElement).toBe(screen.getByLabelText("Setup code"));
});

it("an address with a wrong code shows the code to mend", async () => {
  open("/setup/wrong");
  expect(await screen.findByDisplayValue("wrong")).toBeTruthy();
  expect(screen.getByText(/This is not the code that the server printed last/)).toBeTruthy();
});

it("refused fields say why, what was typed stays, and a fixed setting is named", async () => {
  open(`/setup/${CODE}`);
  await fillIn();
  const fields = { password: "This password is too common.", backupTo: "The folder must begin with a slash." };
  server.use(
    http.post(
      "*/api/setup/:code",
      () => HttpResponse.json({ error: "Two values are wrong.", code: "invalid", fields }, { status: 422 }),
      { once: true },
    ),
  );
  await submit();
  expect(await screen.findByText(fields.password)).toBeTruthy();
  expect(screen.getByText(fields.backupTo)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("nora@example.org");
  server.use(
    http.post(
      "*/api/setup/:code",
      () => HttpResponse.json({ error: "It is fixed.", code: "setting_fixed", setting: "signup" }, { status: 409 }),
      { once: true },
    ),
  );
  await submit();
  expect(await screen.findByText(/The server’s configuration sets this to another value/)).toBeTruthy();
});
