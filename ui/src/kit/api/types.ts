/** What the server's answers hold. Calendar dates are `yyyy-MM-dd`, instants RFC 3339 in UTC. */

export type Role = "user" | "admin";
export type Plan = "reader" | "shelfwise_plus" | "shelfwise_team";
export type TeamRole = "owner" | "admin" | "member";
export type Interval = "monthly" | "annual";
export type Format = "Print" | "eBook" | "Audio";
export type BookStatus = "completed" | "in-progress" | "undated";
export type WordDistribution = "final" | "spread";
export type Feature =
  | "unlimited_books"
  | "unlimited_history"
  | "advanced_charts"
  | "format_analytics"
  | "author_analytics"
  | "custom_themes"
  | "custom_defaults"
  | "beta_features";

export interface User {
  id: number;
  displayName: string;
  email: string;
  role: Role;
  stripeCustomerId: string | null;
  createdAt: string;
}

/** What the public pages must know of this server. Texts that the operator has not set are null. */
export interface Site {
  signup: "open" | "invite" | "closed";
  mail: boolean;
  billing: boolean;
  demo: boolean;
  planSwitcher: boolean;
  operator: string | null;
  contact: string | null;
  governingLaw: string | null;
}

export interface Book {
  id: number;
  title: string;
  author: string;
  wordCount: number;
  status: BookStatus;
  startDate: string | null;
  dateCompleted: string | null;
  year: number | null;
  /** 1 to 12 */
  month: number | null;
  /** 0 to 10 */
  rating: number | null;
  format: Format;
  reread: boolean;
  genres: string[];
  impressions: string | null;
  quotes: string[];
  wordDistribution: WordDistribution;
  pages: number | null;
  isbn: string | null;
  wordCountSource: "entered" | "pages" | "epub";
  createdAt: string;
  updatedAt: string;
}

/** `GET /api/books`: the visible books. */
export interface Books {
  data: Book[];
  /** The whole library, hidden books included, whatever the filter. */
  total: number;
  limitedToMonths: number | null;
  /** The visible books of the filter; with parameters only. */
  matching?: number;
  /** Null at the end; with parameters only. */
  nextCursor?: string | null;
}

/** `GET /api/books/titles`: the whole library by title. */
export interface BookTitle {
  id: number;
  title: string;
  author: string;
  status: BookStatus;
}

export interface TbrItem {
  id: number;
  title: string;
  author: string | null;
  wordCount: number | null;
  notes: string | null;
  pages: number | null;
  isbn: string | null;
  position: number;
  createdAt: string;
}

export interface Kpis {
  totalWords: number;
  wordsYtd: number;
  wordsLast30Days: number;
  booksRead: number;
  averageRating: number | null;
  authors: number;
  booksYtd: number;
  booksLast30Days: number;
  rereads: number;
  ratedBooks: number;
}

/** A genre or an author with what was read of it. */
export interface Tally {
  name: string;
  words: number;
  books: number;
}

export interface ShelfBook {
  id: number;
  title: string;
  author: string;
  wordCount: number;
  rating: number | null;
  format: Format;
  genres: string[];
  startDate: string | null;
  date: string | null;
  reread: boolean;
  /** Whose book it is; on a team's shelf only. */
  userId?: number;
}

/** `GET /api/stats`. A chart that the plan lacks is null, and its feature stands in `locked`. */
export interface Stats {
  kpis: Kpis;
  genres: Tally[];
  authors: Tally[] | null;
  monthlyWords: { month: string; words: number; books: number }[];
  formats: { format: Format; words: number; books: number }[] | null;
  shelf: { books: ShelfBook[]; hidden: number };
  library: { total: number; visible: number; limitedToMonths: number | null };
  locked: Feature[];
}

/** `GET /api/teams/stats`: a team's numbers, and whose words they are. */
export interface TeamStats extends Stats {
  members: { userId: number; displayName: string; words: number; books: number }[];
}

/** `GET /api/stats/options`: over all visible books, whatever the filter; most words first. */
export interface StatsOptions {
  genres: Tally[];
  authors: Tally[];
  formats: Tally[];
}

export interface Preferences {
  /** Null until chosen. */
  theme: "light" | "dark" | null;
  /** Per cent, 0 to 200. */
  brightness: number;
  /** Per cent, 0 to 200. */
  contrast: number;
  /** Per cent, 0 to 100. */
  sepia: number;
  /** Per cent, 0 to 100. */
  grayscale: number;
  defaultStatsView: "books" | "words";
  defaultFormat: Format;
  autoDetectReread: boolean;
  betaFeaturesEnabled: boolean;
  shareWithTeam: boolean;
  /** An IANA name. */
  timezone: string;
}

/** `GET /api/subscriptions/current`. */
export interface CurrentSubscription {
  subscription: {
    /** The effective plan. */
    plan: Plan;
    /** `active`, or what the payment provider says. */
    status: string;
    currentPeriodEnd: string | null;
    billingInterval: Interval | null;
    cancelAtPeriodEnd: boolean;
    /** Where the plan comes from. */
    source: "none" | "stripe" | "operator" | "team" | "default";
  };
  team: { memberCount: number; seatLimit: number } | null;
  /** Null is unlimited. */
  limits: { bookLimit: number | null; bookCount: number; historyMonths: number | null };
  features: Feature[];
  billingEnabled: boolean;
}

/** `GET /api/plans`: texts of prices, as the operator shows them. */
export interface PlanPrices {
  plan: Plan;
  name: string;
  bookLimit: number | null;
  monthly: string;
  annual: string;
  saving: string | null;
  membersMonthly: number | null;
  membersAnnual: number | null;
  seatMonthly: string | null;
  seatAnnual: string | null;
}

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

export interface SeatUsage {
  currentMembers: number;
  pendingInvitations: number;
  seatLimit: number;
  availableSeats: number;
  addonSeats: number;
  baseSeats: number;
}

export interface Challenge {
  id: number;
  title: string;
  metric: "words" | "books";
  target: number;
  startDate: string;
  endDate: string;
  total: number;
  members: { userId: number; displayName: string; value: number }[];
}

/** What an import reports of a row that it could not take. */
export interface ImportDetail {
  /** The line of the file where the row begins, the header being 1. */
  row: number;
  field?: string;
  message: string;
}

export interface ImportResult {
  imported: number;
  importedTbr: number;
  errors: number;
  skipped: number;
  details: ImportDetail[];
  format: string;
  importId: number | null;
  estimatedWords: number;
}

/** A book as it is read from a file; `row` is the line where it begins. */
export type PreviewBook = Omit<Book, "id" | "year" | "month" | "createdAt" | "updatedAt"> & { row: number };

/** An item of the to-be-read list as it is read from a file. */
export type PreviewItem = Omit<TbrItem, "id" | "position" | "createdAt"> & { row: number };

/** The same without writing, and what would be written. */
export interface ImportPreview extends ImportResult {
  /** The first 20 as they are read, also those that are there already. */
  books: PreviewBook[];
  /** Likewise. */
  tbr: PreviewItem[];
  /** Shelves of the reader's own; `guess` is `read`, `reading`, `to-read` or `skip`. */
  shelves: { name: string; rows: number; guess: string }[];
  /** `field` null: kept with the raw row only. */
  columns: { name: string; sample: string; field: string | null }[];
  /** Reads that the file counts without a date. */
  earlierReads: number;
}

export interface PastImport {
  id: number;
  fileName: string;
  format: string;
  createdAt: string;
  imported: number;
  importedTbr: number;
  errors: number;
  skipped: number;
  /** When it was undone, null when it was not. */
  undone: string | null;
}

/** What undoing an import took away, and what stays because it was changed since. */
export interface UndoneImport {
  removed: number;
  removedTbr: number;
  kept: { id: number; title: string }[];
  keptTbr: { id: number; title: string }[];
}

export interface Session {
  id: number;
  device: string;
  place: string | null;
  ipAddress: string;
  createdAt: string;
  lastSeen: string;
  current: boolean;
}

export interface ApiToken {
  id: number;
  name: string;
  access: "read" | "read-write";
  createdAt: string;
  lastUsedAt: string | null;
}

export interface Identity {
  provider: string;
  name: string;
  email: string | null;
  linkedAt: string;
}
