-- Whether a session goes on under a new token from its next request on: its account was given more rights.
ALTER TABLE sessions ADD COLUMN renew INTEGER NOT NULL DEFAULT 0 CHECK (renew IN (0, 1));
