import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ANSWERS, NORA, PRIVATE, renderAs, toastSays } from "../test-reader";
import { InviteDialog } from "./InviteDialogs";
import { StartTeam } from "./StartTeam";

const server = setupServer(...ANSWERS);
beforeAll(() => server.listen());
beforeEach(() => localStorage.clear());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("the name of a new team is there at the next visit, until the team is started", async () => {
  server.use(
    http.get("*/api/site", () => HttpResponse.json(PRIVATE)),
    http.post("*/api/teams", () => HttpResponse.json({ team: { id: 1 } }, { status: 201 })),
  );
  const first = renderAs(NORA, <StartTeam />);
  await userEvent.type(screen.getByLabelText("Team name"), "The Harbour");
  first.unmount();
  const second = renderAs(NORA, <StartTeam />);
  expect(screen.getByLabelText("Team name")).toHaveProperty("value", "The Harbour");
  expect(screen.getByText(/Restored what you had typed before/)).toBeTruthy();
  await press("Start a Team");
  await toastSays("Team started");
  second.unmount();
  renderAs(NORA, <StartTeam />);
  expect(screen.getByLabelText("Team name")).toHaveProperty("value", "");
});

it("an invitation that was closed by mistake keeps its address, and Cancel removes it", async () => {
  const open = () => renderAs(NORA, <InviteDialog available={3} onClose={() => undefined} />);
  const first = open();
  await userEvent.type(await screen.findByLabelText("Email"), "greta@example.org");
  first.unmount();
  const second = open();
  const dialog = within(await screen.findByRole("dialog", { name: "Invite Team Member" }));
  expect(dialog.getByLabelText("Email")).toHaveProperty("value", "greta@example.org");
  await press("Cancel");
  second.unmount();
  open();
  expect(await screen.findByLabelText("Email")).toHaveProperty("value", "");
});
