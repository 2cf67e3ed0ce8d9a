-- Secret links show the to-be-read list and tags, too. The table is made anew, because a check can't be changed. Ids are not used again: a
-- feed's entries are named by them.
CREATE TABLE all_shares (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('feed', 'calendar', 'review', 'public', 'list', 'tag')),
  -- what is shown besides title and author: names with commas between them
  parts TEXT NOT NULL,
  -- the year or the month of a review, 2026 or 2026-11
  period TEXT CHECK ((kind = 'review') = (period IS NOT NULL)),
  -- whose books are shown; null for the whole list
  tag TEXT CHECK (tag IS NOT NULL OR kind <> 'tag') CHECK (tag IS NULL OR kind IN ('list', 'tag')),
  -- Only the token's SHA-256: a copy of this file opens no link.
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  -- when the link was last opened, exact to an hour
  last_seen TEXT
) STRICT;
INSERT INTO all_shares (id, user_id, kind, parts, period, token_hash, created_at, expires_at, last_seen)
  SELECT id, user_id, kind, parts, period, token_hash, created_at, expires_at, last_seen FROM shares;
DELETE FROM sqlite_sequence WHERE name = 'all_shares';
INSERT INTO sqlite_sequence (name, seq) SELECT 'all_shares', seq FROM sqlite_sequence WHERE name = 'shares';
DROP TABLE shares;
ALTER TABLE all_shares RENAME TO shares;
CREATE INDEX shares_of_user ON shares (user_id);
