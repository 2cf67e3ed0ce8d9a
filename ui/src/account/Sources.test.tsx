import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it } from "vitest";
import type { Source } from "../kit/api/types";
import { NORA, renderAs, toastSays } from "../test-reader";
import { pageServer } from "../test-server";
import { Sources } from "./Sources";

const HOME: Source = { name: "home", title: "Audiobooks at home", connected: false, lastPolledAt: null, error: null };

let sources: Source[];
const asked: unknown[] = [];
const server = pageServer("/account?tab=connections");
beforeEach(() => {
  sources = [HOME];
  asked.length = 0;
  server.use(
    http.get("*/api/sources", () => HttpResponse.json({ data: sources })),
    http.put("*/api/sources/:name", async ({ params, request }) => {
      asked.push([params.name, await request.json()]);
      sources = [{ ...HOME, connected: true }];
      return HttpResponse.json({ source: sources[0] });
    }),
  );
});

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("a media server is connected by a key", async () => {
  renderAs(NORA, <Sources />);
  await press("Connect Audiobooks at home");
  await userEvent.type(screen.getByLabelText("API key"), "a-key");
  await press("Connect");
  expect(await screen.findByText("Connected. The first report is on its way")).toBeTruthy();
  expect(asked).toEqual([["home", { key: "a-key" }]]);
});

it("a key that the media server refuses is refused at its field", async () => {
  const error = "Audiobookshelf refuses this key.";
  const refusal = { error, code: "validation", fields: { key: error } };
  server.use(http.put("*/api/sources/:name", () => HttpResponse.json(refusal, { status: 422 })));
  renderAs(NORA, <Sources />);
  await press("Connect Audiobooks at home");
  const field = screen.getByLabelText("API key");
  await userEvent.type(field, "no-key");
  await press("Connect");
  expect(await screen.findByText(error)).toBeTruthy();
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

it("a media server that does not report says why, and is disconnected", async () => {
  const error = "The server can’t be reached.";
  sources = [{ ...HOME, connected: true, lastPolledAt: "2026-11-16T10:00:00Z", error }];
  server.use(
    http.delete("*/api/sources/:name", () => {
      sources = [HOME];
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAs(NORA, <Sources />);
  expect(await screen.findByText(`${error} Last report Nov 16, 2026`)).toBeTruthy();
  await press("Actions for Audiobooks at home");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Disconnect" }));
  await toastSays("Audiobooks at home disconnected");
  expect(await screen.findByText("Not connected")).toBeTruthy();
});

it("nothing is shown where the operator has named none", async () => {
  let isAsked = false;
  server.use(
    http.get("*/api/sources", () => {
      isAsked = true;
      return HttpResponse.json({ data: [] });
    }),
  );
  renderAs(NORA, <Sources />);
  await waitFor(() => expect(isAsked).toBe(true));
  expect(screen.queryByText("Sources")).toBeNull();
});
