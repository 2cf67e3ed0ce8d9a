import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ANSWERS, NORA, renderAs, toastSays } from "../test-reader";
import { Tokens } from "./Tokens";

const SYNC = {
  id: 7,
  name: "E-reader sync",
  access: "read-write",
  createdAt: "2025-10-01T10:00:00Z",
  lastUsedAt: new Date().toISOString(),
  expiresAt: undefined as string | undefined,
};
const REVIEW = { ...SYNC, id: 6, name: "Year in review", access: "read", lastUsedAt: null };

let kept: (typeof SYNC | typeof REVIEW)[] = [];
const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => {
  kept = [SYNC, REVIEW];
  server.use(http.get("*/api/account/tokens", () => HttpResponse.json({ data: kept })));
});
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("each token shows its access and its last use, and can be revoked", async () => {
  server.use(
    http.delete("*/api/account/tokens/:id", ({ params }) => {
      kept = kept.filter(({ id }) => id !== Number(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAs(NORA, <Tokens />);
  expect(await screen.findByText("Read and write. Last used today")).toBeTruthy();
  expect(screen.getByText("Read only. Never used")).toBeTruthy();
  await press("Revoke the token Year in review");
  await toastSays("Token revoked");
  await waitFor(() => expect(screen.queryByText("Year in review")).toBeNull());
  expect(screen.getByText("E-reader sync")).toBeTruthy();
  // The button that was pressed is gone with its row.
  const other = screen.getByRole("button", { name: "Revoke the token E-reader sync" });
  await waitFor(() => expect(document.activeElement).toBe(other));
});

it("a token shows when it expires, and an expired token says so", async () => {
  kept = [
    { ...SYNC, expiresAt: "2099-03-01T10:00:00Z" },
    { ...REVIEW, expiresAt: "2025-11-01T10:00:00Z" },
  ];
  renderAs(NORA, <Tokens />);
  expect(await screen.findByText("Read and write. Last used today. Ends Mar 1, 2099")).toBeTruthy();
  expect(screen.getByText("Read only. Never used. Ended Nov 1, 2025")).toBeTruthy();
  expect(screen.getAllByText("ended")).toHaveLength(1);
});

it("a new token can only read by default, and its secret is shown once", async () => {
  const asked: unknown[] = [];
  server.use(
    http.post("*/api/account/tokens", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json({ token: { ...REVIEW, name: "Backup" }, secret: "shelfwise_secret" }, { status: 201 });
    }),
  );
  renderAs(NORA, <Tokens />);
  await press("Create token");
  await userEvent.type(screen.getByLabelText("Name"), "Backup");
  await press("Create token");
  const dialog = within(await screen.findByRole("dialog", { name: "Backup" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Token").value).toBe("shelfwise_secret");
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByDisplayValue("shelfwise_secret")).toBeNull();

  await press("Create token");
  await userEvent.type(screen.getByLabelText("Name"), "Sync");
  await userEvent.click(screen.getByLabelText("Read and write"));
  await userEvent.selectOptions(screen.getByLabelText("It ends"), "After 90 days");
  await press("Create token");
  await screen.findByRole("dialog", { name: "Backup" });
  expect(asked).toEqual([
    { name: "Backup", access: "read", expiresInDays: null },
    { name: "Sync", access: "read-write", expiresInDays: 90 },
  ]);
});

it("a refused name is said at its field, and anything else above the form", async () => {
  const sentence = "A name can have at most 100 characters.";
  const refusals = [
    HttpResponse.json({ error: sentence, code: "invalid", fields: { name: sentence } }, { status: 422 }),
    HttpResponse.json({ error: "You have 100 API tokens.", code: "too_many_tokens" }, { status: 409 }),
  ];
  server.use(http.post("*/api/account/tokens", () => refusals.shift()));
  renderAs(NORA, <Tokens />);
  await press("Create token");
  await userEvent.type(screen.getByLabelText("Name"), "Sync");
  await press("Create token");
  await screen.findByText(sentence);
  expect(screen.getByLabelText("Name").getAttribute("aria-invalid")).toBe("true");
  await press("Create token");
  expect((await screen.findByRole("alert")).textContent).toBe("You have 100 API tokens.");
});
