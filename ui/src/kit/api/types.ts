/**
 * The server's answers under the names that the interface uses. Their shapes come from the API description. Calendar
 * dates are `yyyy-MM-dd`, instants RFC 3339 in UTC.
 */
import type { components } from "./schema";

type Schemas = components["schemas"];

/** What went wrong, as the server names it. */
export type ErrorCode = Schemas["ErrorCode"];

export type Role = Schemas["Role"];
export type Plan = Schemas["Plan"];
export type TeamRole = Schemas["TeamRole"];
export type Interval = Schemas["BillingInterval"];
export type Format = Schemas["BookFormat"];
export type BookStatus = Schemas["BookStatus"];
/** A status that books are filtered by: a stored one, or `paused`. */
export type StatusFilter = BookStatus | "paused";
export type WordDistribution = Schemas["WordDistribution"];
export type Feature = Schemas["Feature"];

export type User = Schemas["User"];
export type Site = Schemas["Site"];
export type LookupAnswer = Schemas["LookupResponse"];
export type LookupOutcome = Schemas["LookupOutcome"];
export type FoundBook = Schemas["LookupResult"];

export type TokenAccess = Schemas["TokenAccess"];
/** An API token without its secret. */
export type ApiToken = Schemas["ApiToken"];

/** A secret link without its address. */
export type Share = Schemas["Share"];
export type SharePart = Schemas["SharePart"];
/** A link with its address, which no other answer contains. */
export type MadeShare = Schemas["ShareCreated"];

/** A device without its password. */
export type Device = Schemas["Device"];
export type DeviceKind = Device["kind"];
export type NewDevice = Schemas["DeviceCreate"];
/** A device with its password, which no other answer contains. */
export type MadeDevice = Schemas["DeviceCreated"];
/** What a device calls a book. */
export type ReadDocument = Schemas["Document"];
export type DocumentFinish = Schemas["DocumentFinish"];
export type DocumentChange = Schemas["DocumentUpdate"];
/** What a file from a device brings. */
export type ReadingReport = Schemas["ReadingReport"];
/** A column of a table of days, and what it is read as. */
export type DayColumn = Schemas["DayColumn"];
export type DayField = Schemas["DayField"];

/** A media server that the operator has named. */
export type Source = Schemas["MediaServer"];

export type Book = Schemas["Book"];
/** A book with its quotes in full, which the calls for one book answer. */
export type BookDetail = Schemas["BookDetail"];
/** A quote. Where there is nothing but a note, its text is empty. */
export type Passage = Schemas["Passage"];
/** A person other than an author who has a part in a book. */
export type Contributor = Schemas["Contributor"];
export type ContributorRole = Schemas["ContributorRole"];
/** One entry of `GET /api/series`: what the reader has of a series. */
export type SeriesEntry = Schemas["SeriesFigures"];
/** One entry of `GET /api/tags`. */
export type TagEntry = Schemas["Tag"];
/** One entry of `GET /api/operations`: something that was done to many books at once. */
export type Operation = Schemas["Operation"];
/** What a fill-in from imported rows does, or would do. */
export type Refill = Schemas["RefillReport"];
export type RefillField = Schemas["RefillField"];
/** What undoing an operation brought back, removed and left. */
export type Undone = Schemas["OperationUndo"];
/** A book with all its reads, oldest first. */
export type Work = Schemas["Work"];
/** Two books that are likely the same. */
export type LikelyDuplicate = Schemas["LikelyDuplicate"];
/** A day of a read's log. */
export type ReadingDay = Schemas["ReadingDay"];
/** `GET /api/books`: the visible books. */
export type Books = Schemas["BookList"];
/** `GET /api/books/titles`: the whole library by title. */
export type BookTitle = Schemas["BookTitle"];
/** `GET /api/reading`: what is open, the goals of the running year and month, and the streak. */
export type ReadingDays = Schemas["ReadingResponse"];
/** An open book with the day on which it will be finished at its pace. */
export type OpenBook = Schemas["OpenBook"];
export type ReadingForecast = Schemas["Forecast"];
/** A goal, and how far its reader has come. */
export type Goal = Schemas["Goal"];
export type GoalMetric = Schemas["GoalMetric"];
/** `GET /api/calendar`: the days of a year on which something was read. */
export type ReadingCalendar = Schemas["CalendarResponse"];
export type CalendarDay = Schemas["CalendarDay"];
export type Review = Schemas["Review"];
/** One entry of `GET /api/quotes`: a quote with its book. */
export type Quote = Schemas["Quote"];
/** What becomes of the passages of a file. */
export type QuoteImport = Schemas["QuoteImport"];
/** One entry of `GET /api/search`: what was found, and where. */
export type SearchHit = Schemas["SearchHit"];
export type TbrItem = Schemas["TbrItem"];
export type TbrList = Schemas["TbrList"];

export type Kpis = Schemas["Kpis"];
/** A genre or an author, with the words and books read. */
export type Tally = Schemas["WordsByName"];
export type ShelfBook = Schemas["ShelfBook"];
/** `GET /api/stats`. A chart that the plan lacks is null, and its feature is listed in `locked`. */
export type Stats = Schemas["Stats"];
/** A filter of the dashboard under a name. */
export type View = Schemas["View"];
/** `GET /api/dashboard`: statistics and books together. */
export type Dashboard = Schemas["Dashboard"];
/** `GET /api/stats/options`: counted over all visible books, whatever the filter; most words first. */
export type StatsOptions = Schemas["StatsOptions"];
/** `GET /api/stats/reading`: how and what was read, or the same of two years that are compared. */
export type ReadingStats = Schemas["ReadingStats"];
export type ReadingCharts = Schemas["ReadingCharts"];

/** `GET /api/teams/stats`: the statistics of all members who share, and the list of those members. */
export type TeamStats = Schemas["TeamStats"];
export type MemberShare = Schemas["MemberContribution"];
/** A challenge of a team with its progress. */
export type Challenge = Schemas["Challenge"];

export type Preferences = Schemas["Preferences"];

/** `GET /api/subscriptions/current`: the effective plan, where it comes from, and what it allows. */
export type CurrentSubscription = Schemas["CurrentSubscription"];
/** One plan of `GET /api/plans`, with the price texts that the operator shows. */
export type PlanPrices = Schemas["PlanOffer"];

/** A row that an import refused, with the reason. */
export type ImportDetail = Schemas["ImportRowError"];
export type ImportResult = Omit<Schemas["ImportReport"], keyof Schemas["ImportPreview"] | keyof Schemas["SyncOutcome"]>;
/** The result of bringing a library up to date, or of its preview. */
export type SyncResult = ImportResult & Schemas["SyncOutcome"];
/** A field that was changed here and in a newer file. */
export type SyncConflict = Schemas["SyncConflict"];
/** A row of a newer file that is taken over. */
export type SyncEntry = Schemas["SyncEntry"];
/** A book as read from a file; `row` is the line where it begins. */
export type PreviewBook = Schemas["PreviewBook"];
/** An item of the to-be-read list as read from a file. */
export type PreviewItem = Schemas["PreviewItem"];
/** The result of an import without writing, and what it would write. */
export type ImportPreview = ImportResult & Schemas["ImportPreview"];
/** How far an import is. */
export type ImportProgress = Schemas["ImportProgress"];
export type PastImport = Schemas["ImportSummary"];
/** What undoing an import removed, and what stays because it was changed since. */
export type UndoneImport = Schemas["ImportUndo"];

export type Session = Schemas["Session"];
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

/** A user in the operator's list. */
export type ListedUser = Schemas["AdminUser"];
/**
 * `GET /api/admin/backups`: the scheduled backups, and the time of the next one. Without a schedule the list is empty
 * and the time null.
 */
export type BackupList = Schemas["BackupList"];

/** One entry of `GET /api/auth/events` and `GET /api/admin/events`: a security event of an account. */
export type SecurityEvent = Schemas["SecurityEvent"];
/** `GET /api/admin/health`: the server's checks of itself. */
export type Health = Schemas["ServerHealth"];
/** `GET /api/admin/settings`: the settings that count, and the names of those that only the operator's files can change. */
export type SettingsResponse = Schemas["SettingsResponse"];
export type ServerSettings = SettingsResponse["settings"];
/** A folder to which the server can write backups. */
export type BackupFolder = Schemas["BackupFolder"];
/** An invitation to the server, without a team. */
export type ServerInvitation = Schemas["ServerInvitation"];
/** `GET /api/admin/users/{id}/usage`. */
export type Usage = Schemas["AccountUsage"];
export type Amounts = Schemas["Quotas"];
