/** Limits of what the API takes. Made by `make types` from the API's description. */

export const ACCOUNT_UPDATE = {
  displayName: { minLength: 1, maxLength: 100 },
  email: { minLength: 3, maxLength: 254 },
} as const;

export const ADDON_SEATS_UPDATE = {
  addonSeats: { minimum: 0, maximum: 1_000 },
} as const;

export const ADMIN_USER_CREATE = {
  displayName: { minLength: 1, maxLength: 100 },
  email: { minLength: 3, maxLength: 254 },
  password: { minLength: 8, maxLength: 256 },
} as const;

export const API_TOKEN_CREATE = {
  name: { minLength: 1, maxLength: 100 },
} as const;

export const BOOK_FIELDS = {
  author: { minLength: 1, maxLength: 500 },
  authors: { maxItems: 20, items: { maxLength: 500 } },
  contributors: { maxItems: 50 },
  genres: { maxItems: 50, items: { maxLength: 100 } },
  impressions: { maxLength: 20_000 },
  minutes: { minimum: 1, maximum: 60_000 },
  originalYear: { minimum: -3_000, maximum: 2_100 },
  pages: { minimum: 1, maximum: 100_000 },
  publisher: { maxLength: 200 },
  quotes: { maxItems: 200, items: { maxLength: 5_000 } },
  rating: { minimum: 0, maximum: 10 },
  tags: { maxItems: 50, items: { maxLength: 100 } },
  title: { minLength: 1, maxLength: 500 },
  wordCount: { minimum: 0, maximum: 100_000_000 },
} as const;

export const BOOKS_CHANGE = {
  words: { minimum: 1, maximum: 100_000_000 },
} as const;

export const CHALLENGE_FIELDS = {
  target: { minimum: 1, maximum: 1_000_000_000_000 },
  title: { minLength: 1, maxLength: 100 },
} as const;

export const COVER = {
  height: { minimum: 1, maximum: 1_500 },
  width: { minimum: 1, maximum: 1_000 },
} as const;

export const GOAL_FIELDS = {
  target: { minimum: 1, maximum: 10_000_000_000 },
} as const;

export const PASSWORD_CHANGE = {
  newPassword: { minLength: 8, maxLength: 256 },
} as const;

export const PASSWORD_RESET = {
  password: { minLength: 8, maxLength: 256 },
} as const;

export const PREFERENCES_UPDATE = {
  brightness: { minimum: 0, maximum: 200 },
  contrast: { minimum: 0, maximum: 200 },
  grayscale: { minimum: 0, maximum: 100 },
  sepia: { minimum: 0, maximum: 100 },
} as const;

export const QUOTE_CREATE = {
  text: { minLength: 1, maxLength: 5_000 },
} as const;

export const READING_DAY_FIELDS = {
  minutes: { minimum: 0, maximum: 1_440 },
  note: { maxLength: 2_000 },
  page: { minimum: 0, maximum: 100_000 },
  percent: { minimum: 0, maximum: 100 },
} as const;

export const SERIES_RENAME = {
  name: { minLength: 1, maxLength: 200 },
} as const;

export const SERVER_INVITATION_CREATE = {
  email: { maxLength: 254 },
} as const;

export const SETUP_REQUEST = {
  displayName: { minLength: 1, maxLength: 100 },
  email: { minLength: 3, maxLength: 254 },
  name: { maxLength: 60 },
  password: { minLength: 8, maxLength: 256 },
} as const;

export const SIGN_UP_REQUEST = {
  displayName: { minLength: 1, maxLength: 100 },
  email: { minLength: 3, maxLength: 254 },
  password: { minLength: 8, maxLength: 256 },
} as const;

export const TAG_CHANGE = {
  icon: { maxLength: 40 },
  name: { minLength: 1, maxLength: 100 },
  position: { minimum: 0 },
} as const;

export const TBR_ITEM_FIELDS = {
  author: { maxLength: 500 },
  notes: { maxLength: 20_000 },
  pages: { minimum: 1, maximum: 100_000 },
  tags: { maxItems: 50, items: { maxLength: 100 } },
  title: { minLength: 1, maxLength: 500 },
  wordCount: { minimum: 0, maximum: 100_000_000 },
} as const;

export const TEAM_INVITATION_CREATE = {
  email: { minLength: 3, maxLength: 254 },
} as const;

export const TEAM_RENAME = {
  name: { minLength: 1, maxLength: 100 },
} as const;

export const LIST_SERVER_EVENTS = {
  limit: { minimum: 1, maximum: 200 },
} as const;

export const LIST_ACCOUNT_EVENTS = {
  limit: { minimum: 1, maximum: 200 },
} as const;

export const LIST_BOOKS = {
  minRating: { minimum: 0, maximum: 10 },
  limit: { minimum: 1, maximum: 500 },
} as const;

export const UPDATE_BOOKS = {
  minRating: { minimum: 0, maximum: 10 },
} as const;

export const GET_CALENDAR = {
  year: { minimum: 1_900, maximum: 2_100 },
} as const;

export const GET_DASHBOARD = {
  minRating: { minimum: 0, maximum: 10 },
  limit: { minimum: 1, maximum: 500 },
} as const;

export const LOOK_UP_BOOKS = {
  q: { minLength: 2, maxLength: 200 },
} as const;

export const LIST_OPERATIONS = {
  limit: { minimum: 1, maximum: 200 },
} as const;

export const GET_STATS = {
  minRating: { minimum: 0, maximum: 10 },
} as const;

export const GET_TEAM_STATS = {
  minRating: { minimum: 0, maximum: 10 },
} as const;
