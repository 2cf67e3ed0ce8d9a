-- The sign-in provider that a session came from (its section in the settings), for ending the session there as well. Null for a
-- sign-in by password.
ALTER TABLE sessions ADD COLUMN provider TEXT;
-- The person that a trusted proxy named when the session began. The session counts only beside the same name.
ALTER TABLE sessions ADD COLUMN header_user TEXT;
