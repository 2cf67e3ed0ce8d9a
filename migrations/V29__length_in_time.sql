-- The length of an audiobook, behind the columns that every pass over a library reads.
ALTER TABLE books ADD COLUMN minutes INTEGER CHECK (minutes BETWEEN 1 AND 60000);
-- Few books have a length. The dashboard reads these alone, and a book without one is not in the index.
CREATE INDEX books_with_minutes ON books (user_id, minutes) WHERE minutes IS NOT NULL;

-- A place that was noted as a time from the beginning, in minutes; null where a page or a percentage was.
ALTER TABLE reading_days ADD COLUMN time INTEGER
  CHECK (time IS NULL OR (time BETWEEN 0 AND 60000 AND at IS NOT NULL AND page IS NULL));

-- Words may come from a length, and a goal may count minutes. The checks allow one word more, so the texts of the tables are changed in
-- place, without copying their rows.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'OR word_count_source = ''epub'')', 'OR word_count_source = ''epub'' OR word_count_source = ''minutes'')')
  WHERE type = 'table' AND name = 'books';
UPDATE sqlite_schema SET sql = replace(sql, 'IN (''entered'', ''pages'', ''epub'')', 'IN (''entered'', ''pages'', ''epub'', ''minutes'')')
  WHERE type = 'table' AND name = 'tbr';
UPDATE sqlite_schema SET sql = replace(sql, 'IN (''books'', ''words'', ''pages'')', 'IN (''books'', ''words'', ''pages'', ''minutes'')')
  WHERE type = 'table' AND name = 'goals';
-- This reads the schema again.
PRAGMA writable_schema = RESET;
-- A change of tables raises the number of the schema, by which other connections notice that theirs is out of date.
CREATE TABLE changed_schema (number INTEGER) STRICT;
DROP TABLE changed_schema;
