-- What protects an account, and a record of what happened to it.
--
-- An address is proven once its owner has opened a link that was mailed to it, or a provider has confirmed it.
ALTER TABLE users ADD COLUMN email_proven_at TEXT;

-- When the person behind a session last signed in or repeated the password; sensitive calls ask for a recent one.
ALTER TABLE sessions ADD COLUMN confirmed_at TEXT;

-- When an API token stops working; null for a token without an end.
ALTER TABLE api_tokens ADD COLUMN expires_at TEXT;

-- What is left of the address of an expired invitation, for the answer of its link ("g…a@example.org").
ALTER TABLE invitations ADD COLUMN masked_email TEXT;

-- The audit trail: security events of accounts, kept for 90 days. Addresses of people are read from `users`, never copied here.
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL,
  -- the account that the event is about; null after an operator deleted it
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- the account that acted; null for somebody unknown and for the command line
  actor_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  by_command_line INTEGER NOT NULL DEFAULT 0 CHECK (by_command_line IN (0, 1)),
  -- a snake_case word of the API's EventKind
  kind TEXT NOT NULL,
  -- the network that the request came from: an IPv4 /24 or an IPv6 /48
  address TEXT,
  -- browser and system, for example "Firefox on Windows"
  device TEXT
) STRICT;
CREATE INDEX events_of_user ON events (user_id);
CREATE INDEX events_of_actor ON events (actor_id);
CREATE INDEX events_by_time ON events (at);
