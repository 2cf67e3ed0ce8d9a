-- What people pay: their subscriptions as the payment provider last told them, checkouts under way, and what it has told.

CREATE TABLE subscriptions (
  -- the provider's name for it
  stripe_id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  plan TEXT NOT NULL CHECK (plan IN ('shelfwise_plus', 'shelfwise_team')),
  billing_interval TEXT NOT NULL CHECK (billing_interval IN ('monthly', 'annual')),
  -- the provider's word
  status TEXT NOT NULL,
  addon_seats INTEGER NOT NULL CHECK (addon_seats >= 0),
  started_at TEXT NOT NULL,
  period_end TEXT NOT NULL,
  -- when a cancelled one ends; null renews
  ends_at TEXT,
  -- its plan counts until then, whether anything more is heard or not; null counts no more
  counts_until TEXT,
  -- nothing more can become of it
  ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
  -- another one took its place: it is to be ended at the provider
  replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, 1)),
  -- when the provider was last asked
  asked_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_of_user ON subscriptions (user_id);
-- One customer an account.
CREATE UNIQUE INDEX user_of_customer ON users (stripe_customer_id);

-- What somebody is about to buy: one thing at a time.
CREATE TABLE orders (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- names the order at the provider, so that a second attempt is no second order
  key TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('shelfwise_plus', 'shelfwise_team')),
  billing_interval TEXT NOT NULL CHECK (billing_interval IN ('monthly', 'annual')),
  team_name TEXT,
  success_url TEXT NOT NULL,
  cancel_url TEXT NOT NULL,
  -- the provider's page for it
  session_id TEXT,
  created_at TEXT NOT NULL,
  asked_at TEXT NOT NULL
) STRICT;

-- What the provider has told, so that nothing is taken in twice.
CREATE TABLE stripe_events (
  id TEXT PRIMARY KEY,
  received_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The one subscription of each account whose plan counts now.
CREATE VIEW paid_plans AS
  SELECT user_id, stripe_id, plan, billing_interval, status, period_end, ends_at, counts_until, asked_at
  FROM subscriptions AS own
  WHERE stripe_id = (
    SELECT stripe_id FROM subscriptions
    WHERE user_id = own.user_id AND counts_until > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
    ORDER BY plan = 'shelfwise_team' DESC, started_at DESC, stripe_id DESC LIMIT 1
  );

-- Still the one place that says which teams are paid for: by a plan that was set by hand, or by a subscription until it ends.
DROP VIEW paid_teams;
CREATE VIEW paid_teams AS
  SELECT teams.id AS team_id, paid.billing_interval, coalesce(paid.status, 'active') AS status,
    CASE WHEN users.granted_plan = 'shelfwise_team' THEN '9999-12-31T23:59:59Z' ELSE paid.counts_until END AS paid_until
  FROM teams JOIN users ON users.id = teams.payer_id
  LEFT JOIN paid_plans AS paid ON paid.user_id = users.id AND paid.plan = 'shelfwise_team'
  WHERE users.granted_plan = 'shelfwise_team' OR paid.user_id IS NOT NULL;
