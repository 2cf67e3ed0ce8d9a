-- Settings that an operator changes while the server runs, on the Admin page or with `shelfwise settings`. They rank above the
-- presets and below the config file, the environment and flags.
CREATE TABLE server_settings (
  -- with its section, as in the config file: backup.to
  key TEXT PRIMARY KEY,
  -- JSON
  value TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Whether the server is private, whichever source says so; the view below needs it. One row.
CREATE TABLE server_instance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  private INTEGER NOT NULL CHECK (private IN (0, 1))
) STRICT;
INSERT INTO server_instance (id, private) VALUES (1, 0);

-- On a private server every team counts as paid, without an end and without an interval.
DROP VIEW paid_teams;
CREATE VIEW paid_teams AS
  SELECT teams.id AS team_id,
    CASE WHEN server_instance.private THEN NULL ELSE paid.billing_interval END AS billing_interval,
    CASE WHEN server_instance.private THEN 'active' ELSE coalesce(paid.status, 'active') END AS status,
    CASE WHEN server_instance.private OR users.granted_plan = 'shelfwise_team' THEN '9999-12-31T23:59:59Z' ELSE paid.counts_until END
      AS paid_until
  FROM teams CROSS JOIN server_instance
  LEFT JOIN users ON users.id = teams.payer_id
  LEFT JOIN paid_plans AS paid ON paid.user_id = users.id AND paid.plan = 'shelfwise_team'
  WHERE server_instance.private OR users.granted_plan = 'shelfwise_team' OR paid.user_id IS NOT NULL;
