import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { NORA, renderAs } from "../../test-reader";
import { pageServer } from "../../test-server";
import { More } from "./FilterPanels";
import { UNFILTERED } from "./filter";

const server = pageServer(
  "/dashboard",
  http.get("*/api/tags", () => HttpResponse.json({ data: [{ name: "owned", books: 2, shelf: false, icon: null }] })),
  http.get("*/api/series", () => HttpResponse.json({ data: [] })),
  http.get("*/api/books/languages", () => HttpResponse.json({ data: [] })),
);

it("choices that could not be loaded are asked for again", async () => {
  const refused = http.get("*/api/series", () => HttpResponse.json({ error: "Not now." }, { status: 500 }));
  server.use(refused);
  renderAs(NORA, <More filter={UNFILTERED} onChange={vi.fn()} />);
  expect(await screen.findByText("The choices could not be loaded.")).toBeTruthy();
  server.resetHandlers();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("checkbox", { name: /^owned/ })).toBeTruthy();
});
