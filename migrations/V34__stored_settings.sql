-- What operators changed while the server ran, on the Admin page or with `shelfwise settings`: one row, and a JSON object with the keys
-- as the config file has them (backup.to). It ranks above the defaults and below the config file, the environment and flags.
CREATE TABLE stored_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  settings TEXT NOT NULL
) STRICT;
INSERT INTO stored_settings (id, settings) SELECT 1, json_group_object(key, json(value)) FROM server_settings;
DROP TABLE server_settings;

-- Commands read the same file and environment as the server; nothing is recorded for them.
DROP TABLE server_start_settings;
DROP TABLE server_start;
