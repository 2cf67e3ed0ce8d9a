import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { newEmail, PASSWORD } from "./people";

const WORK = {
  title: "Kindred",
  author_name: ["Octavia E. Butler"],
  number_of_pages_median: 264,
  isbn: ["9780807083697"],
  subject: ["Science fiction"],
  cover_i: 7,
};
const EDITION = {
  title: "Kindred",
  authors: [{ name: "Octavia E. Butler" }],
  number_of_pages: 264,
  cover: { large: "https://covers.openlibrary.org/b/id/7-L.jpg" },
};
/** A PNG of 60 x 90 gray pixels. */
const COVER =
  "iVBORw0KGgoAAAANSUhEUgAAADwAAABaCAAAAADBOmrpAAAAKklEQVR42u3LoQEAAAwCIM/3bOMOWIVO+hBZlmVZlmVZlmVZlmVZlmX5DL7zNWa6TokcAAAAAElFTkSuQmCC";

/** A catalogue in the place of Open Library, which knows one book and its cover. */
export class OpenLibrary {
  /** The paths that it was asked. */
  readonly asked: string[] = [];
  readonly coverPath = "/b/id/7-M.jpg?default=false";

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OpenLibrary> {
    const library: OpenLibrary = new OpenLibrary(
      createServer(({ url = "" }, response) => {
        library.asked.push(url);
        if (url.startsWith("/b/id/")) {
          response.setHeader("Content-Type", "image/png");
          response.end(Buffer.from(COVER, "base64"));
          return;
        }
        response.setHeader("Content-Type", "application/json");
        const isSearch = url.startsWith("/search.json");
        response.end(JSON.stringify(isSearch ? { docs: [WORK] } : { "ISBN:9780807083697": EDITION }));
      }),
    );
    await new Promise<void>((resolve) => {
      library.server.listen(0, "127.0.0.1", resolve);
    });
    return library;
  }

  stop(): void {
    this.server.close();
  }

  /** The settings of a server that asks it. */
  get settings(): string {
    const base = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return `[lookup.openlibrary]\nurl = "${base}"\ncovers_url = "${base}"\n`;
  }
}

/** Opens the form for a new book as a new reader of a server. */
export async function openFormAt(page: Page, url: string): Promise<void> {
  const form = { email: newEmail(), password: PASSWORD, displayName: "Nora", timezone: "UTC" };
  expect((await page.request.post(`${url}/api/auth/signup`, { data: form })).status()).toBe(201);
  await page.goto(`${url}/add-book`);
  await expect(page.getByRole("searchbox", { name: "Look it up" })).toBeVisible();
}
