import { withQuery } from "./api/client";
import { withBase } from "./base";

/** Every address of the interface, so that none is written twice. */
export const paths = {
  landing: () => "/",
  /**
   * `next`: the address to open after signing in, instead of the dashboard. `stay`: shows the page also where the server
   * sends visitors on to a sign-in provider.
   */
  login: (query: { next?: string; reset?: "done"; stay?: true } = {}) => withQuery("/login", query),
  /** The server's redirect to a sign-in provider, for the browser itself; it is not a page of the interface. */
  oauth: (provider: string, query: { next?: string; timezone?: string } = {}) =>
    withBase(withQuery(`/api/auth/oauth/${encodeURIComponent(provider)}`, query)),
  signup: (query: { invite?: string } = {}) => withQuery("/signup", query),
  forgotPassword: () => "/forgot-password",
  resetPassword: (token: string) => `/reset-password/${encodeURIComponent(token)}`,
  invitation: (token: string) => `/invite/${encodeURIComponent(token)}`,
  setup: () => "/setup",
  pricing: () => "/pricing",
  privacy: () => "/privacy",
  terms: () => "/terms",
  dashboard: () => "/dashboard",
  /** The books on the dashboard that were finished on an unknown day. */
  undated: () => withQuery("/dashboard", { status: "undated" }),
  reading: () => "/reading",
  /** The review of a year or a month: 2026 or 2026-11. */
  review: (period: string) => `/years/${period}`,
  /**
   * `tbr`: the list item that fills the form. `status`: the mode that the form opens with. `series`, `number` and
   * `author`: the values of these fields.
   */
  addBook: (query: { tbr?: number; status?: "in-progress"; series?: string; number?: string; author?: string } = {}) =>
    withQuery("/add-book", query),
  /** `series`, `number` and `author`: a book of a series, whose title is still to be typed. */
  addToTbr: (query: { series?: string; number?: string; author?: string } = {}) =>
    withQuery("/add-book", { tab: "tbr", ...query }),
  /** The page of a book with all its reads; the id is that of any of them. */
  book: (bookId: number) => `/book/${bookId}`,
  editBook: (bookId?: number) => withQuery("/add-book", { tab: "edit", bookId }),
  /** `q`: what is sought. */
  search: (query: { q?: string; tab?: SearchTab } = {}) => withQuery("/search", query),
  series: (name?: string) => (name === undefined ? "/series" : `/series/${encodeURIComponent(name)}`),
  tags: (name?: string) => (name === undefined ? "/tags" : `/tags/${encodeURIComponent(name)}`),
  /** The books with a tag on the dashboard. */
  taggedBooks: (tag: string) => withQuery("/dashboard", { tags: tag }),
  tbr: () => "/tbr",
  import: () => "/import",
  history: () => "/import/history",
  export: () => "/account/export",
  devices: () => "/devices",
  account: (tab?: AccountTab) => withQuery("/account", { tab }),
  team: (tab?: TeamTab) => withQuery("/team", { tab }),
  admin: (tab?: AdminTab) => withQuery("/admin", { tab }),
};

export type SearchTab = "quotes";
export type AdminTab = "overview" | "users" | "events" | "server";
export type TeamTab = "members" | "dashboard" | "challenges";
export type AccountTab = "profile" | "billing" | "preferences" | "connections" | "logout" | "terms";
