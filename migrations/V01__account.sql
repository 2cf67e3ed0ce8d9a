-- Who has an account here, where they are signed in, and how they like it.

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL,
  -- the address without case: what makes it one account
  email_key TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  -- a PHC string; null where no password is set
  password_hash TEXT,
  role TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  -- the plan that an operator set by hand
  granted_plan TEXT CHECK (granted_plan IN ('shelfwise_plus', 'shelfwise_team')),
  stripe_customer_id TEXT,
  created_at TEXT NOT NULL
) STRICT;

-- Only the token's SHA-256: a copy of this file signs in nobody.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash BLOB NOT NULL UNIQUE,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  ip_address TEXT NOT NULL,
  user_agent TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_of_user ON sessions (user_id);

-- Browsers that have signed in to an account before: they pass the daily limit on guesses.
CREATE TABLE known_devices (
  token_hash BLOB NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (token_hash, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_devices_of_user ON known_devices (user_id);

CREATE TABLE preferences (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  theme TEXT CHECK (theme IN ('light', 'dark')),
  brightness INTEGER NOT NULL DEFAULT 100 CHECK (brightness BETWEEN 0 AND 200),
  contrast INTEGER NOT NULL DEFAULT 100 CHECK (contrast BETWEEN 0 AND 200),
  sepia INTEGER NOT NULL DEFAULT 0 CHECK (sepia BETWEEN 0 AND 100),
  grayscale INTEGER NOT NULL DEFAULT 0 CHECK (grayscale BETWEEN 0 AND 100),
  default_stats_view TEXT NOT NULL DEFAULT 'words' CHECK (default_stats_view IN ('books', 'words')),
  default_format TEXT NOT NULL DEFAULT 'Print' CHECK (default_format IN ('Print', 'eBook', 'Audio')),
  auto_detect_reread INTEGER NOT NULL DEFAULT 0 CHECK (auto_detect_reread IN (0, 1)),
  beta_features_enabled INTEGER NOT NULL DEFAULT 0 CHECK (beta_features_enabled IN (0, 1)),
  share_with_team INTEGER NOT NULL DEFAULT 0 CHECK (share_with_team IN (0, 1)),
  -- an IANA name
  timezone TEXT NOT NULL DEFAULT 'UTC'
) STRICT;

-- Answers of creating calls, given again for the same key within a day.
CREATE TABLE idempotency_keys (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  scope TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;
