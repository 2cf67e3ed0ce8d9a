import type { Review } from "../../../kit/api/types";
import { fullDay, short, whole } from "../../../kit/format";
import { isRunning } from "../model";

/** The line below the name of the period: `in books, until November 18`. */
export function pictureSubtitle(period: string, today: string): string {
  return isRunning(period, today) ? `in books, until ${fullDay(today)}` : "in books";
}

/** The figures of the picture, the most important first. A figure that says nothing is left out. */
export function pictureFigures({ totals, averageRating, newAuthors }: Review): [label: string, value: string][] {
  const all: [string, string, boolean][] = [
    ["Books", whole(totals.books), true],
    ["Words", short(totals.words), totals.words > 0],
    ["Average rating", averageRating?.toFixed(1) ?? "", averageRating !== null],
    ["New authors", whole(newAuthors.length), newAuthors.length > 0],
    ["Days read", whole(totals.daysRead), totals.daysRead > 0],
    ["Rereads", whole(totals.rereads), totals.rereads > 0],
  ];
  return all.filter(([, , says]) => says).map(([label, value]) => [label, value]);
}
