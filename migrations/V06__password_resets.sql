-- Links to a new password. Only the token's SHA-256: a copy of this file opens no account.
CREATE TABLE password_resets (
  -- one link an account: a new one takes the place of the former
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL
) STRICT;
