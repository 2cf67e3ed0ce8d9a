import { PLAN_NAMES } from "../access/subscription";
import type {
  DeviceAnalytics,
  Health,
  ListedUser,
  LocationAnalytics,
  Plan,
  Role,
  SystemAnalytics,
  Usage,
  UserAnalytics,
} from "../kit/api/types";
import { percent, shortened, whole } from "../kit/format";
import { sizeOf } from "../kit/size";
import type { Kpi } from "../kit/ui/KpiStrip";

/** The number of entries that a list shows, and the number when it is expanded. */
export const FEW = 5;
export const MANY = 20;

/** The filter of the user list. "Disabled" is one of the choices for the role. */
export interface UsersFilter {
  search: string;
  plan: Plan | "all";
  role: Role | "disabled" | "all";
}

export const EVERYONE: UsersFilter = { search: "", plan: "all", role: "all" };

/** The query parameters of a filter. */
export function usersQueryOf({ search, plan, role }: UsersFilter): Record<string, string> {
  return {
    search: search.trim(),
    plan: plan === "all" ? "" : plan,
    role: role === "all" || role === "disabled" ? "" : role,
    disabled: role === "disabled" ? "true" : "",
  };
}

/** The plan of a listed user. A plan that comes from a team paid by someone else is named after the team. */
export function planOf({ plan, teamRole }: Pick<ListedUser, "plan" | "teamRole">): string {
  return plan === "shelfwise_team" && teamRole && teamRole !== "owner" ? `team ${teamRole}` : PLAN_NAMES[plan];
}

/** One row of a ranked list. */
export interface Ranked {
  name: string;
  /** Shown after the name, in a quieter tone. */
  detail: string;
  users: number;
}

export function rankedPlaces({ locations }: LocationAnalytics): Ranked[] {
  return locations.map(({ city, country, unique_users }) => ({
    name: city ?? country,
    detail: city ? country : "",
    users: unique_users,
  }));
}

export function rankedDevices({ devices }: DeviceAnalytics): Ranked[] {
  return devices.map(({ device_type, browser, os, unique_users }) => ({
    name: device_type.charAt(0).toUpperCase() + device_type.slice(1),
    detail: [browser, os].filter((part) => part !== "other").join(" on ") || "other",
    users: unique_users,
  }));
}

const plainly = (value: number) => ({ value: whole(value), unit: "" }) as const;

/** A share of all users, to one decimal. */
function retained(active: number, total: number): Pick<Kpi, "value" | "note"> {
  return { value: { value: percent(active, total).slice(0, -1), unit: "%" }, note: `${whole(active)} active` };
}

const FIRST_LABELS = ["Total Users", "New Today", "New This Week", "New This Month"];
const MORE_LABELS = ["1-Day Retention", "7-Day Retention", "Inactive New Users", "Became Inactive"];

/** Four figures about the users, and four more when expanded. They have no values while they are loading. */
export function insightsOf(answer: UserAnalytics | undefined, expanded: boolean): Kpi[] {
  const labels = expanded ? [...FIRST_LABELS, ...MORE_LABELS] : FIRST_LABELS;
  const values = answer ? figuresOf(answer) : [];
  return labels.map((label, i) => ({ label, value: null, ...values[i] }));
}

function figuresOf({ totalUsers, newUsers, retention, inactiveNewUsers, becameInactive }: UserAnalytics) {
  const { day, week, month } = newUsers;
  return [
    { value: shortened(totalUsers), note: totalUsers < 1_000 ? undefined : whole(totalUsers) },
    ...[day, week, month].map((value) => ({ value: plainly(value) })),
    retained(retention.active_1d, retention.total),
    retained(retention.active_7d, retention.total),
    { value: plainly(inactiveNewUsers), note: "no book or TBR item" },
    { value: plainly(becameInactive), note: "no activity in 7 or more days" },
  ];
}

const LOAD_LABELS = ["Load now", "Active sessions", "Requests, last hour", "Requests, last day", "Requests, total"];

/** Rounded to one decimal. */
const tenths = (value: number) => Math.round(value * 10) / 10;

/** A number of requests, with all digits below it when it is shortened. */
const volume = (value: number) => ({ value: shortened(value), note: value < 1_000 ? undefined : whole(value) });

/** The five figures of the load. They have no values while they are loading. */
export function loadOf(answer: SystemAnalytics | undefined): Kpi[] {
  if (!answer) return LOAD_LABELS.map((label) => ({ label, value: null }));
  const { loadIndicator, activeSessions, requestVolume } = answer;
  const values = [
    {
      value: shortened(tenths(loadIndicator.current)),
      note: `requests a minute, ${tenths(loadIndicator.average)} on average`,
    },
    { value: shortened(activeSessions), note: "seen in the last 15 minutes" },
    volume(requestVolume.last_hour),
    volume(requestVolume.last_day),
    volume(requestVolume.total),
  ];
  return LOAD_LABELS.map((label, i) => ({ label, value: null, ...values[i] }));
}

/** The server's checks, the failing ones first. */
export function failingFirst(checks: Health["checks"]): Health["checks"] {
  return [...checks].sort((a, b) => Number(a.ok) - Number(b.ok));
}

/** The amounts that an account stores, beside its quotas. A limit of 0 means unlimited. */
export function usageRows({
  books,
  listItems,
  textBytes,
  quotas,
}: Usage): { name: string; held: string; most: string }[] {
  const row = (name: string, held: number, most: number, written: (amount: number) => string) => ({
    name,
    held: written(held),
    most: most > 0 ? written(most) : "",
  });
  return [
    row("Books", books, quotas.books, whole),
    row("TBR items", listItems, quotas.listItems, whole),
    row("Texts and imported rows", textBytes, quotas.textBytes, sizeOf),
  ];
}

/** Characters that are hard to mistake for each other. */
const CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** A new password that no one can guess, in groups that are easy to read out: 80 random bits. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const text = Array.from(bytes, (byte) => CHARACTERS[byte % CHARACTERS.length]).join("");
  return (text.match(/.{4}/g) ?? []).join("-");
}
