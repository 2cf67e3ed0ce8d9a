import { CHALLENGE_FIELDS } from "../../kit/api/limits";
import type { Challenge } from "../../kit/api/types";
import { counted, dateSpan, longDate, short, whole } from "../../kit/format";
import { isDay } from "../../kit/roughDate";
import { only, textRefusal, wholeNumber } from "../../library/books/model";

/** The unit of a challenge. */
export type Metric = Challenge["metric"];

/** The content of a challenge's form, as typed. */
export interface ChallengeForm {
  title: string;
  metric: Metric;
  target: string;
  startDate: string;
  endDate: string;
}

/** The payload that creates or changes a challenge. */
export type NewChallenge = Pick<Challenge, "title" | "metric" | "target" | "startDate" | "endDate">;

const HIGHEST_TARGET = CHALLENGE_FIELDS.target.maximum;

/** The form for a stored challenge, or for a new one that begins today. */
export function formOf(challenge: Challenge | null, today: string): ChallengeForm {
  if (!challenge) return { title: "", metric: "words", target: "", startDate: today, endDate: "" };
  const { title, metric, target, startDate, endDate } = challenge;
  return { title, metric, target: whole(target), startDate, endDate };
}

/** The validation errors of a form, one sentence for each field. */
export function refusalsOf(form: ChallengeForm): Partial<Record<keyof ChallengeForm, string>> {
  const { title, target, startDate, endDate } = form;
  const aim = wholeNumber(target);
  return only({
    title:
      title.trim() === ""
        ? "The title is required."
        : textRefusal("The title", title.trim(), CHALLENGE_FIELDS.title.maxLength),
    metric: false,
    target: !(aim >= 1 && aim <= HIGHEST_TARGET) && "The target must be a whole number from 1 to 1,000,000,000,000.",
    startDate: !isDay(startDate) && "Please enter the first day, from 1900 to 2100.",
    endDate:
      (!isDay(endDate) && "Please enter the last day, from 1900 to 2100.") ||
      (startDate > endDate && "The last day can’t be before the first."),
  });
}

/** The payload of a valid form. */
export function toChallenge({ title, metric, target, startDate, endDate }: ChallengeForm): NewChallenge {
  return { title: title.trim(), metric, target: wholeNumber(target), startDate, endDate };
}

type Days = Pick<Challenge, "startDate" | "endDate">;

/** `Sep 1 - Dec 24, 2025`; with both years when they differ. */
export function daysOf({ startDate, endDate }: Days): string {
  if (startDate === endDate) return longDate(startDate);
  const sameYear = startDate.slice(0, 4) === endDate.slice(0, 4);
  return sameYear ? dateSpan(startDate, endDate) : `${longDate(startDate)} - ${longDate(endDate)}`;
}

/** Whether a challenge's last day is over. */
export function isPast({ endDate }: Days, today: string): boolean {
  return endDate < today;
}

/** The time that is left: `begins in 3 days`, `36 days left`, `the last day`. */
export function timeLeft({ startDate, endDate }: Days, today: string): string {
  if (startDate > today) return `begins in ${counted(daysBetween(today, startDate), "day")}`;
  const left = daysBetween(today, endDate);
  return left === 0 ? "the last day" : `${counted(left, "day")} left`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** Words shortened, books in full; `2M`, not `2.0M`. */
export function amount(value: number, metric: Metric): string {
  return metric === "words" ? short(value).replace(".0", "") : whole(value);
}

/** The progress and the target: `1.4M` and `of 2M words`, `53` and `of 50 books, reached`. */
export function standing({ total, target, metric }: Challenge): { read: string; of: string } {
  const [read, aim] = [amount(total, metric), amount(target, metric)];
  // Rounding must not make an unreached target look reached.
  const exact = total < target && read === aim;
  const unit = metric === "books" && target === 1 ? "book" : metric;
  return {
    read: exact ? whole(total) : read,
    of: `of ${exact ? whole(target) : aim} ${unit}${total >= target ? ", reached" : ""}`,
  };
}
