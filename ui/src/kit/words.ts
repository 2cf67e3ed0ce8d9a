/** The words of values that the API knows, each once. */
import type { Format, GoalMetric, StatusFilter } from "./api/types";

export const FORMAT_WORDS: Readonly<Record<Format, string>> = { Print: "Print", eBook: "eBook", Audio: "Audio" };

export const STATUS_WORDS: Readonly<Record<StatusFilter, string>> = {
  "in-progress": "In Progress",
  paused: "Paused",
  completed: "Completed",
  undated: "No Date",
  "did-not-finish": "Did Not Finish",
};

/** What a goal counts; minutes are shown as hours. */
export const METRIC_WORDS: Readonly<Record<GoalMetric, string>> = {
  books: "Books",
  words: "Words",
  pages: "Pages",
  minutes: "Hours",
};

/** The values of a table of words, in its order. */
export function valuesOf<Value extends string>(words: Readonly<Record<Value, string>>): readonly Value[] {
  return Object.keys(words) as Value[];
}

/** The choices of a select or a segmented control, in the order of `values`. */
export function optionsOf<const Value extends string>(
  words: Readonly<Record<NoInfer<Value>, string>>,
  values: readonly Value[],
): readonly { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: words[value] }));
}
