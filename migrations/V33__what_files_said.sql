-- What a file said about a book stays known: a row's draft as JSON (src/library/import/said.rs), beside the row as it stood in the file. Null
-- for rows of former imports until the program has read them once, and for rows that made nothing.
ALTER TABLE import_rows ADD COLUMN said TEXT;
CREATE INDEX unread_import_rows ON import_rows (id) WHERE said IS NULL AND reason IS NULL AND field IS NULL;

-- Where the rows of each shelf without a common name went, as a JSON object: the next file of the tracker puts them there, too.
ALTER TABLE imports ADD COLUMN places TEXT NOT NULL DEFAULT '{}';
-- The import of a complete export that restored this one, which goes with it.
ALTER TABLE imports ADD COLUMN restored_by INTEGER;

-- Books and items are tied to a row of each tracker that has them, also when another import or a hand made them.
CREATE TABLE tied_books (
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  -- the key in import_rows
  row_id INTEGER NOT NULL,
  -- the same for the same words
  row_key BLOB NOT NULL,
  -- which of the row's readings; -1 when the row made an item of the to-be-read list, which its reader has started since
  nth INTEGER NOT NULL,
  -- a newer file of the tracker: the row that the book was last compared with, and which of its readings
  newer_row INTEGER,
  newer_nth INTEGER,
  -- whether the row made the book, which goes when the import is undone; otherwise the book was here and equal
  made INTEGER NOT NULL DEFAULT 1 CHECK (made IN (0, 1)),
  PRIMARY KEY (book_id, row_id)
) STRICT, WITHOUT ROWID;
INSERT INTO tied_books (book_id, row_id, row_key, nth, newer_row, newer_nth)
  SELECT book_id, row_id, row_key, nth, newer_row, newer_nth FROM imported_books;
DROP TABLE imported_books;
ALTER TABLE tied_books RENAME TO imported_books;

CREATE TABLE tied_items (
  item_id INTEGER NOT NULL REFERENCES tbr (id) ON DELETE CASCADE,
  row_id INTEGER NOT NULL,
  row_key BLOB NOT NULL,
  newer_row INTEGER,
  made INTEGER NOT NULL DEFAULT 1 CHECK (made IN (0, 1)),
  PRIMARY KEY (item_id, row_id)
) STRICT, WITHOUT ROWID;
INSERT INTO tied_items (item_id, row_id, row_key, newer_row) SELECT item_id, row_id, row_key, newer_row FROM imported_items;
DROP TABLE imported_items;
ALTER TABLE tied_items RENAME TO imported_items;
