/**
 * The keys of all cached answers. A change invalidates a prefix: answers below `library` depend on the reader's books,
 * answers below `shared` also on the books that the team's members share, and answers below `team` on the members of
 * the team.
 */

const library = ["library"] as const;
const shared = [...library, "shared"] as const;
const team = ["team"] as const;
const invitations = ["invitations"] as const;
const admin = ["admin"] as const;

export const keys = {
  viewer: ["viewer"],
  /** Why the person that a proxy names is not signed in. */
  refusal: ["refusal"],
  site: ["site"],
  providers: ["providers"],
  setup: (code: string) => ["setup", code] as const,
  plans: ["plans"],
  lookup: (question: string, where: "everywhere" | "offline") => ["lookup", where, question] as const,
  lookupCover: (source: string, cover: string) => ["lookup", "cover", source, cover] as const,
  preferences: ["preferences"],
  sessions: ["sessions"],
  tokens: ["tokens"],
  shares: ["shares"],
  views: ["views"],
  devices: ["devices"],
  sources: ["sources"],
  identities: ["identities"],
  events: (path: string) => ["events", path] as const,

  library,
  bookList: (query: object) => [...library, "books", "list", query] as const,
  bookTitles: [...library, "books", "titles"],
  readingDays: [...library, "reading"],
  calendars: [...library, "calendar"],
  calendar: (year: number) => [...library, "calendar", year] as const,
  goals: (period: string) => [...library, "goals", period] as const,
  goalBooks: (period: string, metric: string) => [...library, "goals", period, metric] as const,
  reviews: [...library, "review"],
  review: (period: string) => [...library, "review", period] as const,
  oldestBook: [...library, "books", "oldest"],
  newestBooks: [...library, "books", "newest"],
  book: (id: number) => [...library, "books", id] as const,
  similar: (id: number) => [...library, "books", id, "similar"] as const,
  days: (id: number) => [...library, "books", id, "days"] as const,
  work: (id: number) => [...library, "works", id] as const,
  duplicates: [...library, "duplicates"],
  tbr: [...library, "tbr"],
  quotes: (query: object) => [...library, "quotes", query] as const,
  search: (query: object) => [...library, "search", query] as const,
  series: [...library, "series"],
  seriesBooks: (names: readonly string[]) => [...library, "series", "books", ...names] as const,
  languages: [...library, "languages"],
  tags: [...library, "tags"],
  tagBooks: (name: string, most: number) => [...library, "tags", name, most] as const,
  /** Below the library: what is asked depends on its books. */
  documents: [...library, "documents"],
  changes: [...library, "changes"],
  fillIn: (fields: readonly string[] | null) => [...library, "fill-in", fields] as const,
  imports: [...library, "imports"],
  programs: [...library, "programs"],
  statistics: (query: object) => [...library, "statistics", query] as const,
  readingStatistics: (query: object) => [...library, "statistics", "reading", query] as const,
  filterOptions: [...library, "statistics", "options"],
  /** The effective plan; it also counts the books. */
  subscription: [...library, "subscription"],
  shared,
  teamStatistics: (query: object) => [...shared, "statistics", query] as const,
  teamFilterOptions: [...shared, "statistics", "options"],
  challenges: [...shared, "challenges"],

  importPreview: (fileId: number, kind: string, fields: object) => ["import-preview", fileId, kind, fields] as const,

  importProgress: (key: string) => ["import-progress", key] as const,

  team,
  seatUsage: [...team, "seats"],
  /** The account of a link to a new password. */
  resetAccount: (token: string) => ["reset-account", token] as const,
  /** Links of invitations that were made in this browser; a log-out removes them with everything else. */
  invitationLinks: ["invitation-links"],
  invitations,
  invitation: (token: string) => [...invitations, token] as const,

  users: [...admin, "users"],
  userList: (filter: object) => [...admin, "users", filter] as const,
  serverInvitations: [...admin, "invitations"],
  usage: (userId: number) => [...admin, "usage", userId] as const,
  operations: (name: string) => [...admin, name] as const,
} as const;
