import type { ServerSettings } from "../kit/api/types";
import { counted } from "../kit/format";

/** The settings of the form. A section and its keys are joined as in the server's answers: `backup.to`. */
const NAMES = [
  "name",
  "instance",
  "defaultPlan",
  "signup",
  "limits.books",
  "limits.listItems",
  "limits.textMb",
  "backup.to",
  "backup.keep",
  "backup.every",
] as const;

export type SettingName = (typeof NAMES)[number];

const NUMBERS: ReadonlySet<SettingName> = new Set([
  "limits.books",
  "limits.listItems",
  "limits.textMb",
  "backup.keep",
] as const);

/** The settings as the form's fields hold them. An empty text stands for a setting without a value. */
export type SettingTexts = Record<SettingName, string>;

export function textsOf({ limits, backup, ...settings }: ServerSettings): SettingTexts {
  return {
    name: settings.name ?? "",
    instance: settings.instance,
    defaultPlan: settings.defaultPlan,
    signup: settings.signup,
    "limits.books": String(limits.books),
    "limits.listItems": String(limits.listItems),
    "limits.textMb": String(limits.textMb),
    "backup.to": backup.to ?? "",
    "backup.keep": String(backup.keep),
    "backup.every": backup.every,
  };
}

/** What was typed over the settings that a form began with, without the settings that can't be changed any more. */
export function typedOver(
  base: SettingTexts,
  typed: SettingTexts,
  isFixed: (name: SettingName) => boolean,
): Partial<SettingTexts> {
  const names = NAMES.filter((name) => typed[name] !== base[name] && !isFixed(name));
  return Object.fromEntries(names.map((name) => [name, typed[name]]));
}

/** The settings whose text differs from the saved one. The default plan counts on a public server only. */
export function changedNames(typed: SettingTexts, saved: SettingTexts): SettingName[] {
  return NAMES.filter(
    (name) => typed[name].trim() !== saved[name] && !(name === "defaultPlan" && typed.instance === "private"),
  );
}

/** A sentence for each of the named settings that must be a whole number and is not. */
export function mistakesIn(typed: SettingTexts, names: readonly SettingName[]): Partial<SettingTexts> {
  const wrong = names.filter((name) => NUMBERS.has(name) && !/^\d{1,9}$/.test(typed[name].trim()));
  return Object.fromEntries(wrong.map((name) => [name, "Enter a whole number."]));
}

/** The body of a change: some of the settings, null for one that goes back to its default. */
export type SettingChanges = { [key: string]: string | number | null | SettingChanges };

/** The named settings as the body of a change. */
export function changesOf(typed: SettingTexts, names: readonly SettingName[]): SettingChanges {
  const changes: SettingChanges = {};
  for (const name of names) {
    const text = typed[name].trim();
    const value = text === "" ? null : NUMBERS.has(name) ? Number(text) : text;
    const [section, key] = name.split(".") as [string, string?];
    changes[section] = key ? { ...(changes[section] as SettingChanges), [key]: value } : value;
  }
  return changes;
}

const UNITS: Readonly<Record<string, string>> = { s: "second", m: "minute", h: "hour", d: "day" };

/** An interval of the server in words: `12h` is "Every 12 hours". */
export function everyInWords(every: string): string {
  const [, digits, short] = /^(\d+)([smhd])$/.exec(every) ?? [];
  const unit = UNITS[short ?? ""];
  if (!unit) return every;
  return digits === "1" ? `Every ${unit}` : `Every ${counted(Number(digits), unit)}`;
}

const INTERVALS = ["1h", "6h", "12h", "1d", "7d"];

/** The intervals to choose from, the current one among them. */
export function intervals(current: string): { value: string; label: string }[] {
  const all = INTERVALS.includes(current) ? INTERVALS : [current, ...INTERVALS];
  return all.map((value) => ({ value, label: everyInWords(value) }));
}
