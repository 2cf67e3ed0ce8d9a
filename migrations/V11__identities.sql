-- Who signs in through another provider. Its access and refresh tokens are not kept: nothing uses them.
CREATE TABLE identities (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the provider's section in the settings
  provider TEXT NOT NULL,
  -- who vouches, and the number there: what somebody is known by
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- the address that the provider gave last
  email TEXT,
  linked_at TEXT NOT NULL,
  PRIMARY KEY (user_id, provider),
  UNIQUE (issuer, subject)
) STRICT, WITHOUT ROWID;
