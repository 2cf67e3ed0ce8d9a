-- What was imported: the files, the rows that made something or were refused, and what they made.

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  file_name TEXT NOT NULL,
  format TEXT NOT NULL,
  -- a JSON list of the column names, and how cells are told apart: what the raw rows need to be read again
  header TEXT NOT NULL,
  delimiter TEXT NOT NULL,
  imported INTEGER NOT NULL,
  imported_tbr INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  undone_at TEXT
) STRICT;
CREATE INDEX imports_of_user ON imports (user_id);

-- Rows of the files, as they stood there: nothing of a file is lost. The key is import << 25 | line, as a file of 20 MiB has
-- fewer lines than that; so the rows of an import lie side by side and need no index.
CREATE TABLE import_rows (
  id INTEGER PRIMARY KEY,
  raw TEXT NOT NULL,
  -- why the row was refused, and for which field
  reason TEXT,
  field TEXT
) STRICT;
CREATE TRIGGER rows_go_with_their_import AFTER DELETE ON imports BEGIN
  DELETE FROM import_rows WHERE id BETWEEN OLD.id << 25 AND (OLD.id << 25 | 0x1ffffff);
END;

-- Which row made which book: a second import of the same words finds it here. A row goes with its book.
CREATE TABLE imported_books (
  book_id INTEGER PRIMARY KEY REFERENCES books (id) ON DELETE CASCADE,
  -- the key in import_rows
  row_id INTEGER NOT NULL,
  -- the same for the same words
  row_key BLOB NOT NULL,
  -- which of the row's readings; -1 when the row made an item of the to-be-read list, which its reader has started since
  nth INTEGER NOT NULL
) STRICT;

CREATE TABLE imported_items (
  item_id INTEGER PRIMARY KEY REFERENCES tbr (id) ON DELETE CASCADE,
  row_id INTEGER NOT NULL,
  row_key BLOB NOT NULL
) STRICT;

-- What a reader said about shelves and columns of their own, so that it is asked once. Names are folded.
CREATE TABLE import_choices (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('shelf', 'column')),
  name TEXT NOT NULL,
  -- a place or a field; empty for a column that is kept and not used
  choice TEXT NOT NULL,
  PRIMARY KEY (user_id, kind, name)
) STRICT, WITHOUT ROWID;
