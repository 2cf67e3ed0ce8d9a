-- What a reader wants to read in a year or a month.
CREATE TABLE goals (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- yyyy or yyyy-MM
  period TEXT NOT NULL,
  metric TEXT NOT NULL CHECK (metric IN ('books', 'words', 'pages')),
  target INTEGER NOT NULL CHECK (target > 0),
  -- whether reads that are marked as rereads count
  rereads INTEGER NOT NULL DEFAULT 1 CHECK (rereads IN (0, 1)),
  created_at TEXT NOT NULL,
  PRIMARY KEY (user_id, period, metric)
) WITHOUT ROWID;

-- Whether days or weeks in a row are counted, and whether goals say how far ahead or behind they are.
ALTER TABLE preferences ADD COLUMN streak TEXT NOT NULL DEFAULT 'off' CHECK (streak IN ('off', 'days', 'weeks'));
ALTER TABLE preferences ADD COLUMN goal_pace INTEGER NOT NULL DEFAULT 1 CHECK (goal_pace IN (0, 1));
