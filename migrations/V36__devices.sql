-- Devices that report what is read, what they call books, and what they said about each.
CREATE TABLE devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('koreader', 'readest', 'other')),
  -- the user name that is typed into the device
  login TEXT NOT NULL UNIQUE,
  -- a salt of 16 bytes and the Argon2id of what the protocol sends: passwords are short, because they are typed on slow keyboards
  secret_hash BLOB NOT NULL CHECK (octet_length(secret_hash) = 48),
  created_at TEXT NOT NULL,
  -- exact to five minutes; null until the first report
  last_seen_at TEXT,
  -- when its statistics last arrived
  put_at TEXT,
  -- the minutes that its clock is ahead
  clock_offset INTEGER NOT NULL DEFAULT 0 CHECK (clock_offset BETWEEN -1440 AND 1440),
  clock_offset_proposed INTEGER CHECK (clock_offset_proposed BETWEEN -1440 AND 1440)
) STRICT;
CREATE INDEX devices_of_user ON devices (user_id);

-- What devices call a book. Several may be one book, and one digest may be several.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- KOReader's digest of the file or of its name; empty in old rows
  digest TEXT NOT NULL,
  title TEXT,
  -- names, separated by U+001F
  authors TEXT,
  title_key TEXT NOT NULL,
  author_key TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  -- the device that reported last, which may have been taken back since
  device_id INTEGER,
  -- the newest place as it was pushed (JSON), and when, in seconds since 1970
  progress TEXT,
  pushed_at INTEGER CHECK ((pushed_at IS NULL) = (progress IS NULL)),
  book_id INTEGER REFERENCES books (id) ON DELETE SET NULL,
  -- whether the read was in progress when it was linked: a finished one takes no days
  linked_open INTEGER NOT NULL DEFAULT 0 CHECK (linked_open IN (0, 1)),
  ignored INTEGER NOT NULL DEFAULT 0 CHECK (ignored IN (0, 1)),
  -- what was read before this day is forgotten
  ignore_before TEXT,
  -- the place at which the reader said that the book is not finished yet
  not_yet INTEGER CHECK (not_yet BETWEEN 0 AND 10000),
  -- page turns, see src/devices/rows.rs; a table of its own would be a row for each of some millions
  page_rows BLOB,
  UNIQUE (user_id, digest, title_key, author_key),
  CHECK (id >> 24 = user_id)
) STRICT;
CREATE INDEX documents_of_book ON documents (book_id) WHERE book_id IS NOT NULL;

-- The newest place that was pushed on a day.
CREATE TABLE document_places (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  at INTEGER NOT NULL CHECK (at BETWEEN 0 AND 10000),
  -- in seconds since 1970
  pushed_at INTEGER NOT NULL,
  PRIMARY KEY (document_id, day)
) STRICT, WITHOUT ROWID;

-- What devices said of a day of a read. What differs in its log is by hand, and a day that the log lacks was removed by hand.
CREATE TABLE device_days (
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  at INTEGER CHECK (at BETWEEN 0 AND 10000),
  minutes INTEGER CHECK (minutes BETWEEN 0 AND 1440),
  PRIMARY KEY (book_id, day)
) STRICT, WITHOUT ROWID;

-- What was newly read on the day, in hundredths of a percent, as devices say; null by hand.
ALTER TABLE reading_days ADD COLUMN covered INTEGER CHECK (covered BETWEEN 0 AND 10000);

-- The hour at which a day of reading begins.
ALTER TABLE preferences ADD COLUMN day_starts_at INTEGER NOT NULL DEFAULT 0 CHECK (day_starts_at BETWEEN 0 AND 6);
