import { expect, it } from "vitest";
import { EVERYONE, insightsOf, loadOf, planOf, rankedDevices, rankedPlaces, usersQueryOf } from "./model";

const USERS = {
  totalUsers: 1_846,
  newUsers: { day: 7, week: 41, month: 163 },
  retention: { total: 1_846, active_1d: 580, active_7d: 1_074 },
  inactiveNewUsers: 22,
  becameInactive: 96,
};

it("four figures about the users, and four more when expanded", () => {
  expect(insightsOf(USERS, false).map(({ label }) => label)).toEqual([
    "Total Users",
    "New Today",
    "New This Week",
    "New This Month",
  ]);
  expect(insightsOf(USERS, true).slice(4)).toEqual([
    { label: "1-Day Retention", value: { value: "31.4", unit: "%" }, note: "580 active" },
    { label: "7-Day Retention", value: { value: "58.2", unit: "%" }, note: "1,074 active" },
    { label: "Inactive New Users", value: { value: "22", unit: "" }, note: "no book or TBR item" },
    { label: "Became Inactive", value: { value: "96", unit: "" }, note: "no activity in 7 or more days" },
  ]);
});

it("a server without users has kept none of them", () => {
  const nobody = { ...USERS, totalUsers: 0, retention: { total: 0, active_1d: 0, active_7d: 0 } };
  expect(insightsOf(nobody, true)[4]?.value).toEqual({ value: "0.0", unit: "%" });
});

it("figures that are not there yet keep their labels", () => {
  expect(insightsOf(undefined, true).every(({ label, value }) => label && value === null)).toBe(true);
  expect(loadOf(undefined)).toHaveLength(5);
});

it("the load has one decimal, and large numbers are short with all digits below", () => {
  const load = loadOf({
    loadStatus: "green",
    loadIndicator: { current: 0.44, average: 49.94 },
    activeSessions: 118,
    requestVolume: { total: 3_128_440, last_hour: 3_661, last_day: 906 },
  });
  expect(load.map(({ value }) => value && value.value + value.unit)).toEqual(["0.4", "118", "3.7K", "906", "3.1M"]);
  expect(load.map(({ note }) => note)).toEqual([
    "requests a minute, 49.9 on average",
    "seen in the last 15 minutes",
    "3,661",
    undefined,
    "3,128,440",
  ]);
});

it("a place without a city is its country", () => {
  const locations = [
    { city: "Lisbon", country: "Portugal", unique_users: 176, count: 900 },
    { city: null, country: "Portugal", unique_users: 4, count: 9 },
  ];
  expect(rankedPlaces({ available: true, locations })).toEqual([
    { name: "Lisbon", detail: "Portugal", users: 176 },
    { name: "Portugal", detail: "", users: 4 },
  ]);
});

it("a device is its kind, then browser and system as far as they are known", () => {
  const device = (device_type: string, browser: string, os: string) => ({
    device_type,
    browser,
    os,
    unique_users: 6,
    count: 40,
  });
  const devices = [
    device("mobile", "Safari", "iOS"),
    device("desktop", "Firefox", "other"),
    device("e-reader", "other", "other"),
  ];
  expect(rankedDevices({ devices }).map(({ name, detail }) => [name, detail])).toEqual([
    ["Mobile", "Safari on iOS"],
    ["Desktop", "Firefox"],
    ["E-reader", "other"],
  ]);
});

it("a plan that comes with someone else's team is named after the team", () => {
  expect(planOf({ plan: "shelfwise_team", teamRole: "member" })).toBe("team member");
  expect(planOf({ plan: "shelfwise_team", teamRole: "admin" })).toBe("team admin");
  expect(planOf({ plan: "shelfwise_team", teamRole: "owner" })).toBe("Shelfwise Team");
  expect(planOf({ plan: "reader", teamRole: "member" })).toBe("Reader");
});

it('"Disabled" is one of the choices for the role', () => {
  expect(usersQueryOf(EVERYONE)).toEqual({ search: "", plan: "", role: "", disabled: "" });
  expect(usersQueryOf({ search: " rosa ", plan: "reader", role: "disabled" })).toEqual({
    search: "rosa",
    plan: "reader",
    role: "",
    disabled: "true",
  });
});
