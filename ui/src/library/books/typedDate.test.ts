import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hemisphereOf } from "../../kit/hemisphere";
import { exportedDate, roughDate } from "../../kit/roughDate";
import { countsFor, readDate } from "./typedDate";

/** The table that the server's tests read, too. */
interface Case {
  typed: string;
  south?: boolean;
  from?: string | null;
  to?: string;
  shown?: string;
  exported?: string;
  line?: string;
  refused?: string;
}

const { cases, southernZones, northernZones } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../tests/fixtures/rough-dates.json"), "utf8"),
) as { cases: Case[]; southernZones: string[]; northernZones: string[] };

const hemisphere = ({ south }: Case) => (south ? "south" : "north");

it.each(cases.filter(({ refused }) => refused === undefined))("reads $typed", (one) => {
  const read = readDate(one.typed, { hemisphere: hemisphere(one) });
  if (read.refused !== undefined) throw new Error(read.refused);
  expect(read).toEqual({ from: one.from, to: one.to });
  expect(roughDate(read.to, read.from)).toBe(one.shown);
  expect(exportedDate(read.to, read.from)).toBe(one.exported);
  if (one.line !== undefined) expect(countsFor(read)).toBe(one.line);
});

it.each(cases.filter(({ refused }) => refused !== undefined))("refuses $typed", (one) => {
  expect(readDate(one.typed, { hemisphere: hemisphere(one) })).toEqual({ refused: one.refused });
});

it("reads what it shows and what it exports as the same date", () => {
  for (const { from, to, shown, exported } of cases) {
    if (from === undefined || shown === undefined || exported === undefined) continue;
    for (const place of [{ hemisphere: "north" }, { hemisphere: "south" }] as const) {
      expect(readDate(shown, place)).toEqual({ from, to });
      expect(readDate(exported, place)).toEqual({ from, to });
    }
  }
});

it("reads today and yesterday as days of the reader's time zone", () => {
  const place = { hemisphere: "north", today: "2024-03-01" } as const;
  expect(readDate("Today", place)).toEqual({ from: null, to: "2024-03-01" });
  expect(readDate(" yesterday ", place)).toEqual({ from: null, to: "2024-02-29" });
});

it("reads days in figures, and asks the locale only where both orders are possible", () => {
  const day = (typed: string, locale = "en-GB") => {
    const read = readDate(typed, {}, locale);
    return read.refused === undefined && read.from === null ? read.to : null;
  };
  for (const typed of ["12.01.2020", "12.1.2020", "2020-1-12", "2020/01/12", "2020.1.12", "12/01/2020", "12-1-20"])
    expect([typed, day(typed)]).toEqual([typed, "2020-01-12"]);
  for (const locale of ["en-GB", "en-US", "de"]) {
    expect(day("13/01/2020", locale)).toBe("2020-01-13");
    expect(day("01/13/2020", locale)).toBe("2020-01-13");
    expect(day("12.01.2020", locale)).toBe("2020-01-12");
  }
  expect([day("12/1/20", "en-US"), day("12/1/20", "en-GB")]).toEqual(["2020-12-01", "2020-01-12"]);
  expect(day("3/4/99")).toBe("1999-04-03");
  for (const wrong of ["13/13/2020", "31/02/2020", "1/2/3", "12.1-2020", "0/1/2020"]) expect(day(wrong)).toBe(null);
});

it("knows the hemisphere of a time zone", () => {
  for (const zone of southernZones) expect([zone, hemisphereOf(zone)]).toEqual([zone, "south"]);
  for (const zone of northernZones) expect([zone, hemisphereOf(zone)]).toEqual([zone, "north"]);
});
