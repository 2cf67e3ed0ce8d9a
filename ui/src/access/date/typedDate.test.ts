import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hemisphereOf } from "../../kit/hemisphere";
import { exportedDate, roughDate } from "../../kit/roughDate";
import { anyDay, dateRefusal, dayRefusal, readDate, readRoughDate } from "./typedDate";

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
  const read = readRoughDate(one.typed, { hemisphere: hemisphere(one) });
  if (read.refused !== undefined) throw new Error(read.refused);
  expect(read).toEqual({ from: one.from, to: one.to });
  expect(roughDate(read.to, read.from)).toBe(one.shown);
  expect(exportedDate(read.to, read.from)).toBe(one.exported);
  if (one.line !== undefined)
    expect(one.line).toBe(`Counts for ${one.shown}.${read.from === null ? "" : ` ${anyDay(read)}`}`);
});

it.each(cases.filter(({ refused }) => refused !== undefined))("refuses $typed", (one) => {
  expect(readRoughDate(one.typed, { hemisphere: hemisphere(one) })).toMatchObject({ refused: one.refused });
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
  expect([day("12/1/20", "fil-PH"), day("12/1/20", "en-GB")]).toEqual(["2020-12-01", "2020-01-12"]);
  expect(day("3/4/99")).toBe("1999-04-03");
  for (const wrong of ["13/13/2020", "31/02/2020", "1/2/3", "12.1-2020", "0/1/2020"]) expect(day(wrong)).toBe(null);
});

it("reads days with blanks between, behind a weekday and before a time of day", () => {
  const forms = [
    "4. 3. 2020",
    "2020. 3. 4.",
    "Wednesday, March 4, 2020",
    "Wed, 04 Mar 2020 17:29:00 GMT",
    "Mar. 4, 2020 at 5:29 PM",
  ];
  for (const typed of forms) expect([typed, readDate(typed, {})]).toEqual([typed, { from: null, to: "2020-03-04" }]);
  for (const wrong of ["Monday", "sun 2020.", "4. 3. 2020. 1"])
    expect([wrong, readDate(wrong, {}).refused]).not.toEqual([wrong, undefined]);
});

it("asks back what has two readings", () => {
  for (const locale of ["en", "en-US"])
    expect(readDate("3/4/2021 ", {}, locale)).toEqual({
      refused: "3/4/2021: which day?",
      choices: [
        { from: null, to: "2021-03-04" },
        { from: null, to: "2021-04-03" },
      ],
    });
  expect(readDate("4/4/2021", {}, "en-US")).toEqual({ from: null, to: "2021-04-04" });
  expect(readDate("winter 2020", { hemisphere: "north" })).toMatchObject({
    choices: [
      { from: "2019-12-01", to: "2020-02-29" },
      { from: "2020-12-01", to: "2021-02-28" },
    ],
  });
});

it("reads every day that an import reads", () => {
  const typed = [
    ..."2020-03-04 2020/03/04 20200304 04.03.2020 4.3.2020 03/04/2020 3/4/20 4-Mar-20 04-MAR-2020".split(" "),
    ...["Mar 4, 2020", "March 4, 2020", "4 March 2020", "March 4th, 2020", "2020年3月4日", "2020년 3월 4일"],
    ...["4. März 2020", "4. Mrz. 2020", "4 mars 2020", "4 de marzo de 2020"],
    ...["2020-03-04T23:59:59.987Z", "2020-03-04 00:00:00", "3/4/2020 0:00", " 2020-03-04 "],
  ];
  for (const one of typed) expect([one, readDate(one, {}, "fil-PH")]).toEqual([one, { from: null, to: "2020-03-04" }]);
  for (const wrong of ["14-Foo-20", "Mar 4 20", "2020-13-01", "soon", "20201301"])
    expect(readDate(wrong, {}).refused).toBeTruthy();
});

it("takes a day without its year for the last one", () => {
  const day = (typed: string) => readDate(typed, { today: "2025-11-18" }, "en-US");
  for (const typed of ["Nov 20", "20 Nov", "November 20th", "11/20", "20.11."])
    expect([typed, day(typed)]).toEqual([typed, { from: null, to: "2024-11-20" }]);
  expect(day("Nov 18")).toEqual({ from: null, to: "2025-11-18" });
  expect(day("Feb 29")).toEqual({ from: null, to: "2024-02-29" });
  expect(day("3/4")).toMatchObject({ refused: "3/4: which day?" });
});

it("takes a year that someone is not sure of for that year", () => {
  for (const typed of ["c. 2015", "around 2015", "2015?", "ca. 2015", "~2015"])
    expect([typed, readDate(typed, {})]).toEqual([typed, { from: "2015-01-01", to: "2015-12-31" }]);
});

it("says why a field holds no date", () => {
  expect(dateRefusal("spring 2020", {}, true)).toBe(false);
  expect(dateRefusal("after the move", {}, true)).toBe("Try a day, a month, a year, or “spring 2020”.");
  expect(["", "2020-03-04", "Mar 4, 2020"].map((held) => dayRefusal(held))).toEqual([false, false, false]);
  expect(["2020", "soon"].map((held) => dayRefusal(held))).toEqual(Array(2).fill("Try a day, like Nov 18, 2025."));
  expect(dayRefusal("1850-01-01")).toBe("Dates must be between 1900-01-01 and 2100-12-31.");
});

it("knows the hemisphere of a time zone", () => {
  for (const zone of southernZones) expect([zone, hemisphereOf(zone)]).toEqual([zone, "south"]);
  for (const zone of northernZones) expect([zone, hemisphereOf(zone)]).toEqual([zone, "north"]);
});
