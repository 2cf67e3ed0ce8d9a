import { lastDayOf } from "./roughDate";

/** The days of a month, `yyyy-MM`, in weeks from Monday; null before its first day. */
export function weeksOf(month: string): (string | null)[][] {
  const before = (new Date(`${month}-01`).getUTCDay() + 6) % 7;
  const length = Number(lastDayOf(month).slice(8));
  const days = Array.from({ length }, (_, at) => `${month}-${String(at + 1).padStart(2, "0")}`);
  const cells = [...Array<null>(before).fill(null), ...days];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => cells.slice(7 * week, 7 * week + 7));
}
