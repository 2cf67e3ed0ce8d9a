-- When and by what accounts are used, in counts: what the operator's figures are made of. Written in batches.

CREATE TABLE activity_days (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- yyyy-MM-dd, UTC
  day TEXT NOT NULL,
  requests INTEGER NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (user_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE activity_devices (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  device_type TEXT NOT NULL,
  browser TEXT NOT NULL,
  os TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (user_id, day, device_type, browser, os)
) STRICT, WITHOUT ROWID;

CREATE TABLE activity_places (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  country TEXT NOT NULL,
  -- empty where only the country is known
  city TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (user_id, day, country, city)
) STRICT, WITHOUT ROWID;
