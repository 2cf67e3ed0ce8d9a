-- Secret links to one thing in an account, such as a year in review.
CREATE TABLE shares (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('feed', 'calendar', 'review', 'public')),
  -- what is shown besides title and author: names with commas between them
  parts TEXT NOT NULL,
  -- the year or the month of a review, 2026 or 2026-11
  period TEXT CHECK ((kind = 'review') = (period IS NOT NULL)),
  -- Only the token's SHA-256: a copy of this file opens no link.
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  -- when the link was last opened, exact to an hour
  last_seen TEXT
) STRICT;
CREATE INDEX shares_of_user ON shares (user_id);
