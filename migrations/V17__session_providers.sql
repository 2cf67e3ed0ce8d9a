-- The sign-in provider that a session came from (its section in the settings), for ending the session there as well. Null for a
-- sign-in by password.
ALTER TABLE sessions ADD COLUMN provider TEXT;
