import type { Stats } from "../../kit/api/types";

type Months = Stats["monthlyWords"];

/** The months up to which a line by month can be read: five years. */
const READABLE = 60;

/** Whether there are so many months that years say more. */
export function isLong(months: Months): boolean {
  return months.length > READABLE;
}

/** The words of each year, the first and the last one as far as they go. */
export function byYear(months: Months): { name: string; words: number; about: number }[] {
  const years = new Map<string, { words: number; about: number }>();
  for (const { month, words, aboutWords = 0 } of months) {
    const year = month.slice(0, 4);
    const sum = years.get(year) ?? { words: 0, about: 0 };
    years.set(year, { words: sum.words + words, about: sum.about + aboutWords });
  }
  return [...years].map(([name, sum]) => ({ name, ...sum }));
}
