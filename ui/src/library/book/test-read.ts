import type { Book } from "../../kit/api/types";

/** A finished read of Dune, for tests. */
export function aRead(fields: Partial<Book> = {}): Book {
  return {
    id: 7,
    work: 7,
    title: "Dune",
    author: "Frank Herbert",
    wordCount: 200_000,
    wordCountSource: "entered",
    pages: null,
    isbn: null,
    format: "Print",
    status: "completed",
    startDate: null,
    dateCompleted: "2024-06-16",
    completedFrom: null,
    stoppedDate: null,
    pausedSince: null,
    progress: null,
    year: 2024,
    month: 6,
    rating: 8,
    wordDistribution: "final",
    reread: false,
    genres: ["Science Fiction"],
    impressions: null,
    quotes: [],
    createdAt: "2024-06-16T10:00:00Z",
    updatedAt: "2024-06-16T10:00:00Z",
    ...fields,
  };
}
