import type { ImportPreview } from "../../kit/api/types";
import { longDate } from "../../kit/format";

/** The order of year, month and day in slashed dates. */
export type DateOrder = ImportPreview["dateOrder"];

/** The year of two digits as a spreadsheet means it, or the year of four. */
function fullYear(year: number): number {
  if (year > 99) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

function day(year: number, month: number, dayOfMonth: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return longDate(`${fullYear(year)}-${two(month)}-${two(dayOfMonth)}`);
}

/** The orders in which a date such as `03/04/2020` can be read, each with the day that it then means. */
export function dateOrders(sample: string, chosen: DateOrder): { value: DateOrder; label: string }[] {
  const [a = 0, b = 0, c = 0] = sample.split("/").map(Number);
  const orders: { value: DateOrder; label: string }[] = [
    { value: "mdy", label: `Month first: ${day(c, a, b)}` },
    { value: "dmy", label: `Day first: ${day(c, b, a)}` },
  ];
  if (c < 32) orders.push({ value: "ymd", label: `Year first: ${day(a, b, c)}` });
  else if (chosen === "ymd") orders.push({ value: "ymd", label: "Year first" });
  return orders;
}
