/** A column that the books can be sorted by, under the API's name for it. */
export type SortColumn = "title" | "author" | "wordCount" | "dateCompleted" | "rating";

export interface Sort {
  column: SortColumn;
  order: "asc" | "desc";
}

/** The default order: newest completion first. */
export const NEWEST_FIRST: Sort = { column: "dateCompleted", order: "desc" };

/** The same column reverses the order; another column starts descending. */
export function sortedBy(sort: Sort, column: SortColumn): Sort {
  return { column, order: sort.column === column && sort.order === "desc" ? "asc" : "desc" };
}

/** The `aria-sort` of a column's header. */
export function ariaSort(sort: Sort, column: SortColumn): "ascending" | "descending" | undefined {
  if (sort.column !== column) return undefined;
  return sort.order === "asc" ? "ascending" : "descending";
}

/** Every order in words, for the select that replaces the headers on a phone. */
export const SORTS: readonly { sort: Sort; label: string }[] = [
  { sort: { column: "dateCompleted", order: "desc" }, label: "Date, newest first" },
  { sort: { column: "dateCompleted", order: "asc" }, label: "Date, oldest first" },
  { sort: { column: "title", order: "asc" }, label: "Title, A to Z" },
  { sort: { column: "title", order: "desc" }, label: "Title, Z to A" },
  { sort: { column: "author", order: "asc" }, label: "Author, A to Z" },
  { sort: { column: "author", order: "desc" }, label: "Author, Z to A" },
  { sort: { column: "wordCount", order: "desc" }, label: "Words, most first" },
  { sort: { column: "wordCount", order: "asc" }, label: "Words, fewest first" },
  { sort: { column: "rating", order: "desc" }, label: "Rating, highest first" },
  { sort: { column: "rating", order: "asc" }, label: "Rating, lowest first" },
];
