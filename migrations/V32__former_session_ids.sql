-- A session that got a new id is known by the former one, too, until a minute after the new one has come back from its browser: calls
-- that are under way are answered, and an answer that is lost takes nobody's session along.
ALTER TABLE sessions ADD COLUMN former_hash BLOB;
-- When the present id was made.
ALTER TABLE sessions ADD COLUMN renewed_at TEXT;
-- Until when the former id counts; null until the present one has come back.
ALTER TABLE sessions ADD COLUMN former_until TEXT;
CREATE INDEX sessions_by_former_id ON sessions (former_hash) WHERE former_hash IS NOT NULL;
