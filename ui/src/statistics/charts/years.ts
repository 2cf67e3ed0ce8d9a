import type { Stats } from "../../kit/api/types";

type Months = Stats["monthlyWords"];

/** The months up to which a line by month can be read: five years. */
const READABLE = 60;

/** Whether there are so many months that years say more. */
export function isLong(months: Months): boolean {
  return months.length > READABLE;
}

/** The words of each year, the first and the last one as far as they go. */
export function byYear(months: Months): { name: string; words: number }[] {
  const years = new Map<string, number>();
  for (const { month, words } of months) {
    const year = month.slice(0, 4);
    years.set(year, (years.get(year) ?? 0) + words);
  }
  return [...years].map(([name, words]) => ({ name, words }));
}
