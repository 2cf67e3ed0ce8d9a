/**
 * What the server's answers hold, by the names of the interface: the shapes are the server's own description of them.
 * Calendar dates are `yyyy-MM-dd`, instants RFC 3339 in UTC.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Role = Schemas["Role"];
export type Plan = Schemas["Plan"];
export type TeamRole = "owner" | "admin" | "member";
export type Interval = "monthly" | "annual";
export type Format = Schemas["Format"];
export type BookStatus = Schemas["Status"];
export type WordDistribution = Schemas["Distribution"];
export type Feature = Schemas["Feature"];

export type User = Schemas["User"];
export type Site = Schemas["Site"];

export type Book = Schemas["Book"];
/** `GET /api/books`: the visible books. */
export type Books = Schemas["BookList"];
/** `GET /api/books/titles`: the whole library by title. */
export type BookTitle = Schemas["BookTitle"];
export type TbrItem = Schemas["TbrItem"];

export type Kpis = Schemas["Kpis"];
/** A genre or an author with what was read of it. */
export type Tally = Schemas["Named"];
export type ShelfBook = Schemas["ShelfBook"];
/** `GET /api/stats`. A chart that the plan lacks is null, and its feature stands in `locked`. */
export type Stats = Schemas["Stats"];
/** `GET /api/stats/options`: over all visible books, whatever the filter; most words first. */
export type StatsOptions = Schemas["StatsOptions"];

export type Preferences = Schemas["Preferences"];

/** `GET /api/subscriptions/current`. A plan may also come from a payment or a team. */
export type CurrentSubscription = Omit<Schemas["Current"], "subscription"> & {
  subscription: Omit<Schemas["Subscription"], "source" | "billingInterval"> & {
    source: Schemas["PlanSource"] | "stripe" | "team";
    billingInterval: Interval | null;
  };
};
/** One of `GET /api/plans`: texts of prices, as the operator shows them. */
export type PlanPrices = Schemas["Offer"];

/** What an import reports of a row that it could not take. */
export type ImportDetail = Schemas["Detail"];
export type ImportResult = Omit<Schemas["Report"], keyof Schemas["Preview"]>;
/** A book as it is read from a file; `row` is the line where it begins. */
export type PreviewBook = Schemas["PreviewBook"];
/** An item of the to-be-read list as it is read from a file. */
export type PreviewItem = Schemas["PreviewItem"];
/** The same without writing, and what would be written. */
export type ImportPreview = ImportResult & Schemas["Preview"];
export type PastImport = Schemas["PastImport"];
/** What undoing an import took away, and what stays because it was changed since. */
export type UndoneImport = Schemas["Undone"];

export type Session = Schemas["Session"];

export interface TeamMember {
  id: number;
  userId: number;
  role: TeamRole;
  joinedAt: string;
  user: { displayName: string; email: string };
}

export interface TeamInvitation {
  id: number;
  email: string;
  createdAt: string;
  expiresAt: string;
  /** The link to send; only in the answer that made it. */
  inviteUrl?: string;
}

export interface Team {
  id: number;
  name: string;
  /** One's own. */
  role: TeamRole;
  owner: { displayName: string; email: string };
  subscription: { status: string; billingInterval: Interval | null; plan: Plan };
  members: TeamMember[];
  /** Empty for members. */
  invitations: TeamInvitation[];
}
