-- What operators were e-mailed about the server's condition: at most one e-mail a day for each kind of failure.
CREATE TABLE operator_alerts (
  -- backups, disk or mail
  kind TEXT PRIMARY KEY,
  mailed_at TEXT NOT NULL,
  -- whether operators still wait for the e-mail that says that it works again
  failing INTEGER NOT NULL CHECK (failing IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Folded titles and authors have at most 4,000 bytes now. Earlier versions stored longer ones, which no new row equals: the longest
-- beginning of whole characters takes their place, as the program cuts them.
UPDATE books SET title_key = (
    WITH RECURSIVE cut(characters) AS (
      SELECT 4000 UNION ALL SELECT characters - 1 FROM cut WHERE octet_length(substr(title_key, 1, characters)) > 4000)
    SELECT substr(title_key, 1, min(characters)) FROM cut)
  WHERE octet_length(title_key) > 4000;
UPDATE books SET author_key = (
    WITH RECURSIVE cut(characters) AS (
      SELECT 4000 UNION ALL SELECT characters - 1 FROM cut WHERE octet_length(substr(author_key, 1, characters)) > 4000)
    SELECT substr(author_key, 1, min(characters)) FROM cut)
  WHERE octet_length(author_key) > 4000;
UPDATE tbr SET title_key = (
    WITH RECURSIVE cut(characters) AS (
      SELECT 4000 UNION ALL SELECT characters - 1 FROM cut WHERE octet_length(substr(title_key, 1, characters)) > 4000)
    SELECT substr(title_key, 1, min(characters)) FROM cut)
  WHERE octet_length(title_key) > 4000;
UPDATE tbr SET author_key = (
    WITH RECURSIVE cut(characters) AS (
      SELECT 4000 UNION ALL SELECT characters - 1 FROM cut WHERE octet_length(substr(author_key, 1, characters)) > 4000)
    SELECT substr(author_key, 1, min(characters)) FROM cut)
  WHERE octet_length(author_key) > 4000;
