-- Filters of the dashboard that their reader keeps under a name.
CREATE TABLE views (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the name without case: two names that differ in case alone are one
  name_key TEXT NOT NULL,
  name TEXT NOT NULL,
  -- the filter as it stands in an address
  query TEXT NOT NULL,
  -- the place among the pinned ones; null for one that is not pinned
  position INTEGER,
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, name_key)
) STRICT, WITHOUT ROWID;
