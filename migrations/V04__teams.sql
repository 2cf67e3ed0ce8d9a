-- Teams: who reads together, who pays for it, and who is invited.

CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- whose plan the team lives on: the owner's, or a former owner's until the new one has a plan of their own
  payer_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- seats beyond those of the plan
  addon_seats INTEGER NOT NULL DEFAULT 0 CHECK (addon_seats BETWEEN 0 AND 1000),
  created_at TEXT NOT NULL
) STRICT;
-- A plan pays for one team.
CREATE UNIQUE INDEX team_of_payer ON teams (payer_id);

CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  -- somebody is in one team at most
  user_id INTEGER NOT NULL UNIQUE REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
  joined_at TEXT NOT NULL
) STRICT;
CREATE INDEX members_of_team ON members (team_id);
CREATE UNIQUE INDEX owner_of_team ON members (team_id) WHERE role = 'owner';

-- Only the token's SHA-256 is kept, and of an invitation that was used, declined or taken back no address.
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  inviter_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  email TEXT,
  -- the address without case
  email_key TEXT CHECK ((email_key IS NULL) = (email IS NULL)),
  token_hash BLOB NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  UNIQUE (team_id, email_key)
) STRICT;
CREATE INDEX invitations_of_inviter ON invitations (inviter_id);
CREATE INDEX invitations_of_address ON invitations (email_key);

-- The one place that says which teams are paid for.
CREATE VIEW paid_teams AS
  SELECT teams.id AS team_id FROM teams JOIN users ON users.id = teams.payer_id WHERE users.granted_plan = 'shelfwise_team';

-- What a team has set itself to read, within both days.
CREATE TABLE challenges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id INTEGER NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  metric TEXT NOT NULL CHECK (metric IN ('words', 'books')),
  target INTEGER NOT NULL CHECK (target > 0),
  start_date TEXT NOT NULL,
  end_date TEXT NOT NULL CHECK (end_date >= start_date)
) STRICT;
CREATE INDEX challenges_of_team ON challenges (team_id);
