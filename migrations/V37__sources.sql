-- Readers' accounts at the media servers of the settings.
CREATE TABLE sources (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the section of the settings
  name TEXT NOT NULL,
  -- what readers see, as the settings said when it was asked last
  title TEXT NOT NULL,
  -- the reader's key there, encrypted by a key that is not in the database (src/kit/sealing.rs)
  sealed_key BLOB NOT NULL,
  connected_at TEXT NOT NULL,
  last_polled_at TEXT,
  -- why the last report failed; null after one that came
  error TEXT CHECK (error IN ('unreachable', 'failing', 'redirects', 'key-refused', 'key-lost', 'too-large', 'unreadable',
    'not-stored')),
  -- failed reports in a row
  failures INTEGER NOT NULL DEFAULT 0,
  next_poll_at TEXT NOT NULL,
  -- what is known, by the clock of the media server: in milliseconds since 1970
  sessions_until INTEGER NOT NULL DEFAULT 0,
  progress_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX sources_by_turn ON sources (name, next_poll_at);

-- The media server that reports the document.
ALTER TABLE documents ADD COLUMN source TEXT;
-- The length of an audiobook.
ALTER TABLE documents ADD COLUMN seconds INTEGER CHECK (seconds > 0);
-- When it was finished there, in seconds since 1970, and the finish that its reader has refused.
ALTER TABLE documents ADD COLUMN finished_at INTEGER;
ALTER TABLE documents ADD COLUMN finish_refused INTEGER;

-- What was listened to. A session grows while it is open.
CREATE TABLE listening_sessions (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  -- its id at the media server
  session TEXT NOT NULL,
  -- in seconds since 1970
  started_at INTEGER NOT NULL,
  -- seconds of listening, whatever the speed
  seconds INTEGER NOT NULL CHECK (seconds >= 0),
  -- in seconds of the book
  from_place INTEGER NOT NULL CHECK (from_place >= 0),
  to_place INTEGER NOT NULL CHECK (to_place >= 0),
  PRIMARY KEY (document_id, session)
) STRICT, WITHOUT ROWID;
