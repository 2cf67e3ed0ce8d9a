-- The first run, and invitations to the server.

-- The code that makes the first operator, while there is none. Only the SHA-256 of the latest code: a copy of this file sets up nothing.
CREATE TABLE setup_code (
  -- one row: a new code replaces the former
  id INTEGER PRIMARY KEY CHECK (id = 1),
  code_hash BLOB NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

-- A place on the server without a team. Only the token's SHA-256, and no address once the invitation has ended.
CREATE TABLE server_invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  inviter_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- the address that it is for; null where anybody with the link may sign up
  email TEXT,
  -- the address without case
  email_key TEXT UNIQUE CHECK ((email_key IS NULL) = (email IS NULL)),
  -- what is left of the address of an expired invitation ("g…a@example.org")
  masked_email TEXT,
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  -- whether it was used or revoked
  ended INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1))
) STRICT;
CREATE INDEX server_invitations_of_inviter ON server_invitations (inviter_id);

-- Accounts that an operator made, and that nobody has opened yet: a link to the first password works longer than one to a new password.
CREATE VIEW never_opened AS
  SELECT id AS user_id FROM users
  WHERE password_hash IS NULL AND NOT EXISTS (SELECT 1 FROM identities WHERE identities.user_id = users.id);
