import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import baseConfig from "../playwright.config";
import type { GrayPicture } from "../src/library/lookup/scan/ean13";
import { photo } from "../src/library/lookup/scan/test-picture";
import { OpenLibrary, openFormAt } from "./open-library";
import { OwnServer } from "./server";

const CODE = "9780807083697";

/** A film of pictures, ten a second, as a camera of Chromium plays it. */
function film(pictures: readonly GrayPicture[]): string {
  const { width, height } = pictures[0] as GrayPicture;
  const gray = Buffer.alloc((width * height) / 2, 128);
  const frames = pictures.map(({ values }) => Buffer.concat([Buffer.from("FRAME\n"), Buffer.from(values), gray]));
  const file = join(mkdtempSync(join(tmpdir(), "shelfwise-film-")), "film.y4m");
  writeFileSync(
    file,
    Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), ...frames]),
  );
  return file;
}

/** A table without a book, then a book that is held up askew. */
const table: GrayPicture = { width: 800, height: 600, values: new Uint8Array(800 * 600).fill(120) };
const book = photo(CODE, { angle: 8, blur: 1, noise: 8 });
const { launchOptions } = baseConfig.use ?? {};

test.use({
  serviceWorkers: "block",
  launchOptions: {
    ...launchOptions,
    args: [
      ...(launchOptions?.args ?? []),
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
      `--use-file-for-fake-video-capture=${film([...Array(8).fill(table), ...Array(8).fill(book)])}`,
    ],
  },
});

test("the camera reads the barcode of a book, looks it up and is switched off", async ({ page }) => {
  const library = await OpenLibrary.start();
  const server = await OwnServer.at();
  await server.start(library.settings);
  await openFormAt(page, server.url);
  await page.evaluate(() => {
    const devices = navigator.mediaDevices;
    const open = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      Object.assign(window, { tracks: stream.getTracks() });
      return stream;
    };
  });
  const states = () =>
    page.evaluate(() => (window as unknown as { tracks: MediaStreamTrack[] }).tracks.map((track) => track.readyState));

  await page.getByRole("button", { name: "Scan" }).click();
  await expect(page.getByRole("dialog", { name: "Scan the barcode" })).toBeVisible();
  // The only book of an ISBN is taken at once.
  await expect(page.getByText(/^Filled in: title/)).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Scan the barcode" })).toHaveCount(0);
  expect(library.asked[0]).toContain(`bibkeys=ISBN%3A${CODE}&`);
  expect(await states()).toEqual(["ended"]);
  await server.stop();
  library.stop();
});
