/**
 * What the server's answers hold, by the names of the interface: the shapes are the server's own description of them.
 * Calendar dates are `yyyy-MM-dd`, instants RFC 3339 in UTC.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Role = Schemas["Role"];
export type Plan = Schemas["Plan"];
export type TeamRole = Schemas["TeamRole"];
export type Interval = Schemas["BillingInterval"];
export type Format = Schemas["BookFormat"];
export type BookStatus = Schemas["BookStatus"];
export type WordDistribution = Schemas["WordDistribution"];
export type Feature = Schemas["Feature"];

export type User = Schemas["User"];
export type Site = Schemas["Site"];

export type TokenAccess = Schemas["TokenAccess"];
/** What a script signs in with, without its secret. */
export type ApiToken = Schemas["ApiToken"];
/** A new token and its secret, which no other answer holds. */
export type MadeApiToken = Schemas["ApiTokenCreated"];

export type Book = Schemas["Book"];
/** `GET /api/books`: the visible books. */
export type Books = Schemas["BookList"];
/** `GET /api/books/titles`: the whole library by title. */
export type BookTitle = Schemas["BookTitle"];
export type TbrItem = Schemas["TbrItem"];

export type Kpis = Schemas["Kpis"];
/** A genre or an author with what was read of it. */
export type Tally = Schemas["WordsByName"];
export type ShelfBook = Schemas["ShelfBook"];
/** `GET /api/stats`. A chart that the plan lacks is null, and its feature stands in `locked`. */
export type Stats = Schemas["Stats"];
/** `GET /api/dashboard`: both of them. */
export type Dashboard = Schemas["Dashboard"];
/** `GET /api/stats/options`: over all visible books, whatever the filter; most words first. */
export type StatsOptions = Schemas["StatsOptions"];

/** `GET /api/teams/stats`: the same of everybody who shares with their team, and who that is. */
export type TeamStats = Schemas["TeamStats"];
export type MemberShare = Schemas["MemberContribution"];
/** A goal that a team has set itself, and how far it has come. */
export type Challenge = Schemas["Challenge"];

export type Preferences = Schemas["Preferences"];

/** `GET /api/subscriptions/current`: the plan in force, where it comes from, and what it allows. */
export type CurrentSubscription = Schemas["CurrentSubscription"];
/** One of `GET /api/plans`: texts of prices, as the operator shows them. */
export type PlanPrices = Schemas["PlanOffer"];

/** What an import reports of a row that it could not take. */
export type ImportDetail = Schemas["ImportRowError"];
export type ImportResult = Omit<Schemas["ImportReport"], keyof Schemas["ImportPreview"]>;
/** A book as it is read from a file; `row` is the line where it begins. */
export type PreviewBook = Schemas["PreviewBook"];
/** An item of the to-be-read list as it is read from a file. */
export type PreviewItem = Schemas["PreviewItem"];
/** The same without writing, and what would be written. */
export type ImportPreview = ImportResult & Schemas["ImportPreview"];
export type PastImport = Schemas["ImportSummary"];
/** What undoing an import took away, and what stays because it was changed since. */
export type UndoneImport = Schemas["ImportUndo"];

export type Session = Schemas["Session"];
/** `GET /api/account/identities`. */
export type Identities = Schemas["IdentityList"];
export type Identity = Schemas["Identity"];

/** The seats of a team, and who holds them. */
export type SeatUsage = Schemas["SeatUsage"];

export type TeamMember = Schemas["TeamMember"];
export type TeamInvitation = Schemas["TeamInvitation"];
export type Team = Schemas["Team"];

/** The operator's figures: `GET /api/admin/analytics/*`. */
export type UserAnalytics = Schemas["UserAnalytics"];
export type LocationAnalytics = Schemas["LocationAnalytics"];
export type DeviceAnalytics = Schemas["DeviceAnalytics"];
export type SystemAnalytics = Schemas["SystemAnalytics"];

/** A person in the operator's list. */
export type ListedUser = Schemas["AdminUser"];
/** `GET /api/admin/backups`: the scheduled ones, and when the next is due; none and null without a schedule. */
export type BackupList = Schemas["BackupList"];

/** One entry of `GET /api/auth/events` and `GET /api/admin/events`: something that concerns the safety of an account. */
export type SecurityEvent = Schemas["SecurityEvent"];
/** `GET /api/admin/health`: what the server checks of itself. */
export type Health = Schemas["ServerHealth"];
/** `GET /api/admin/users/{id}/usage`. */
export type Usage = Schemas["AccountUsage"];
export type Amounts = Schemas["Quotas"];
