-- What files without page turns say of days, such as a Kindle's sessions or a table of days.
CREATE TABLE document_days (
  document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  -- the import that it came with, whose undo takes it away
  import_id INTEGER NOT NULL,
  at INTEGER CHECK (at BETWEEN 0 AND 10000),
  -- in the book's own pages, where the file has no percentage
  page INTEGER CHECK (page BETWEEN 0 AND 100000),
  minutes INTEGER CHECK (minutes BETWEEN 0 AND 1440),
  -- whether the book was finished on it
  finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
  source TEXT NOT NULL,
  PRIMARY KEY (document_id, day, import_id)
) STRICT, WITHOUT ROWID;

-- The words of a document, counted by the program that reported it.
ALTER TABLE documents ADD COLUMN words INTEGER CHECK (words BETWEEN 1 AND 100000000);

-- An import may be of reading, and a day may come from a table. The checks allow one word more, so the texts of the tables are changed in
-- place, as in V29.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'IN (''books'', ''tbr'')', 'IN (''books'', ''tbr'', ''reading'')')
  WHERE type = 'table' AND name = 'imports';
UPDATE sqlite_schema SET sql = replace(sql, '''audiobookshelf'', ''calibre'')', '''audiobookshelf'', ''calibre'', ''file'')')
  WHERE type = 'table' AND name = 'reading_days';
PRAGMA writable_schema = RESET;
CREATE TABLE changed_schema (number INTEGER) STRICT;
DROP TABLE changed_schema;
