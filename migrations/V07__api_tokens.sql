-- What somebody's scripts sign in with. Only the secret's SHA-256: a copy of this file opens no account.
CREATE TABLE api_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  access TEXT NOT NULL CHECK (access IN ('read', 'read-write')),
  secret_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  -- exact to five minutes; null until the first use
  last_used_at TEXT
) STRICT;
CREATE INDEX api_tokens_of_user ON api_tokens (user_id);
