import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import type { Book } from "../../kit/api/types";
import { NORA, renderAs, toastSays } from "../../test-reader";
import { pageServer } from "../../test-server";
import { aRead } from "../books/test-read";
import { CoverDialog } from "./CoverDialog";

// The tests' browser draws no pictures.
vi.mock("./scale", async (original) => ({ ...(await original<object>()), scaled: async (file: Blob) => file }));

const DUNE = aRead({ id: 7, title: "Dune" });
const COVERED: Book = { ...DUNE, cover: { url: "/api/covers/1", width: 200, height: 300 } };

const PICTURE = new File(["picture"], "dune.png", { type: "image/png" });

let sent: string[];
beforeEach(() => {
  sent = [];
});
const server = pageServer(
  "/book/7",
  http.put("*/api/books/7/cover", async ({ request }) => {
    sent.push(`PUT ${new URL(request.url).search} ${await request.text()}`);
    return HttpResponse.json({ book: COVERED });
  }),
  http.delete("*/api/books/7/cover", () => {
    sent.push("DELETE");
    return new HttpResponse(null, { status: 204 });
  }),
);

function open(read: Book) {
  const onClose = vi.fn();
  renderAs(NORA, <CoverDialog read={read} onClose={onClose} />);
  return onClose;
}

const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save" });

it("a chosen picture is shown and becomes the cover when it is saved", async () => {
  const onClose = open(DUNE);
  expect(await screen.findByRole("dialog", { name: "Add a cover" })).toBeTruthy();
  expect(save().disabled).toBe(true);
  await userEvent.upload(screen.getByLabelText("Drop a picture or an EPUB"), PICTURE);
  expect(await screen.findByRole("img", { name: "Cover of Dune" })).toBeTruthy();
  expect(sent).toEqual([]);
  await waitFor(() => expect(save().disabled).toBe(false));
  await userEvent.click(save());
  await toastSays("Cover saved");
  expect(sent).toEqual(["PUT ?source=upload picture"]);
  expect(onClose).toHaveBeenCalledOnce();
});

it("a cover is removed", async () => {
  const onClose = open(COVERED);
  expect(await screen.findByRole("dialog", { name: "Change the cover" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Remove cover" }));
  await userEvent.click(save());
  await toastSays("Cover saved");
  expect(sent).toEqual(["DELETE"]);
  expect(onClose).toHaveBeenCalledOnce();
});

it("a refused cover keeps the dialog and says why", async () => {
  const error = "Your 100 MiB of covers are used up.";
  server.use(http.put("*/api/books/7/cover", () => HttpResponse.json({ error, code: "cover_quota" }, { status: 409 })));
  const onClose = open(DUNE);
  await userEvent.upload(await screen.findByLabelText("Drop a picture or an EPUB"), PICTURE);
  await waitFor(() => expect(save().disabled).toBe(false));
  await userEvent.click(save());
  expect(await screen.findByText(error)).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});
