-- What the server was started with, so that commands beside it (import, plan, doctor) work by the same settings. Written at
-- every start. Never a secret: a copy of this file must open nothing.
CREATE TABLE server_start (
  -- one row: the last start
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- the config file, absolute; null where the server had none
  config_file TEXT,
  -- the folder that relative paths of the config file begin at
  working_directory TEXT NOT NULL
) STRICT;

-- The settings that came from environment variables and flags.
CREATE TABLE server_start_settings (
  -- with its sections: mail.from
  key TEXT PRIMARY KEY,
  -- the variable (SHELFWISE_...) or flag (--...)
  name TEXT NOT NULL,
  -- JSON; null for a secret, of which only the variable's name is known
  value TEXT
) STRICT, WITHOUT ROWID;
