-- The whole book: covers, tags that are shown as shelves, the answers of catalogues, and the operations that can be undone.

-- The last numbers given, as for books, and the bytes of all covers: their quota is looked at with every upload.
ALTER TABLE libraries ADD COLUMN last_cover INTEGER NOT NULL DEFAULT 0;
ALTER TABLE libraries ADD COLUMN last_operation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE libraries ADD COLUMN cover_bytes INTEGER NOT NULL DEFAULT 0;

CREATE TABLE covers (
  -- made of owner and number, as the keys of books
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('jpeg', 'png', 'webp')),
  width INTEGER NOT NULL CHECK (width BETWEEN 1 AND 1000),
  height INTEGER NOT NULL CHECK (height BETWEEN 1 AND 1500),
  source TEXT NOT NULL CHECK (source IN ('upload', 'epub', 'lookup')),
  -- how many reads have it: a cover goes with its last read
  uses INTEGER NOT NULL DEFAULT 0 CHECK (uses >= 0),
  created_at TEXT NOT NULL,
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 204800),
  CHECK (id >> 24 = user_id)
) STRICT;
-- Deleting an account looks its rows up by owner.
CREATE INDEX covers_of_user ON covers (user_id);

CREATE TRIGGER covers_count_more AFTER INSERT ON covers BEGIN
  UPDATE libraries SET cover_bytes = cover_bytes + length(NEW.bytes) WHERE user_id = NEW.user_id;
END;
CREATE TRIGGER covers_count_less AFTER DELETE ON covers BEGIN
  UPDATE libraries SET cover_bytes = cover_bytes - length(OLD.bytes) WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER books_cover_more AFTER INSERT ON books WHEN NEW.cover IS NOT NULL BEGIN
  UPDATE covers SET uses = uses + 1 WHERE id = NEW.cover;
END;
CREATE TRIGGER books_cover_anew AFTER UPDATE OF cover ON books WHEN OLD.cover IS NOT NEW.cover BEGIN
  UPDATE covers SET uses = uses + 1 WHERE id = NEW.cover;
  UPDATE covers SET uses = uses - 1 WHERE id = OLD.cover;
  DELETE FROM covers WHERE id = OLD.cover AND uses = 0;
END;
CREATE TRIGGER books_cover_less AFTER DELETE ON books WHEN OLD.cover IS NOT NULL BEGIN
  UPDATE covers SET uses = uses - 1 WHERE id = OLD.cover;
  DELETE FROM covers WHERE id = OLD.cover AND uses = 0;
END;

-- How a tag is shown, for those that are shown as a shelf or have an icon. All tags stand with their books.
CREATE TABLE tag_styles (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the tag without case, as tags are compared
  name_key TEXT NOT NULL,
  shelf INTEGER NOT NULL DEFAULT 0 CHECK (shelf IN (0, 1)),
  icon TEXT,
  position INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, name_key)
) STRICT, WITHOUT ROWID;

-- What catalogues answered, for all readers of the server: a source does not learn who asks, and is asked once.
CREATE TABLE lookup_answers (
  source TEXT NOT NULL,
  -- 'isbn:' and 13 digits, or 'q:' and the folded words
  query TEXT NOT NULL,
  -- a JSON list of what was found; empty for a question without an answer
  answer TEXT NOT NULL,
  -- RFC 3339 in UTC; the row is not used from then on
  expires_at TEXT NOT NULL,
  PRIMARY KEY (source, query)
) STRICT, WITHOUT ROWID;
CREATE INDEX lookup_answers_by_end ON lookup_answers (expires_at);

-- What was done to a library as a whole: imports, syncs, fill-ins, joined and renamed books.
CREATE TABLE operations (
  -- made of owner and number, as the keys of books
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('import', 'sync', 'fill-in', 'join', 'part', 'rename', 'merge', 'delete-tag', 'device')),
  -- a sentence for its reader; empty for an import, which has its own figures
  summary TEXT NOT NULL,
  -- the import that it made, if any
  import_id INTEGER REFERENCES imports (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  -- null for an import: `imports` knows
  undone_at TEXT,
  CHECK (id >> 24 = user_id)
) STRICT;
CREATE INDEX operations_of_user ON operations (user_id);
CREATE INDEX operations_of_import ON operations (import_id);

-- What the rows were before an operation changed them. The entries of a deleted book go with it.
CREATE TABLE undo (
  user_id INTEGER NOT NULL,
  operation INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  -- what happened to the row: the code that undoes it knows the kinds
  kind TEXT NOT NULL,
  book_id INTEGER REFERENCES books (id) ON DELETE CASCADE,
  -- a JSON object of the former values
  before TEXT NOT NULL,
  PRIMARY KEY (user_id, operation, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_of_book ON undo (book_id) WHERE book_id IS NOT NULL;
CREATE TRIGGER undo_goes_with_its_operation AFTER DELETE ON operations BEGIN
  DELETE FROM undo WHERE user_id = OLD.user_id AND operation = OLD.id;
END;

-- The imports so far stand among the operations, in their order.
INSERT INTO operations (id, user_id, kind, summary, import_id, created_at)
  SELECT user_id << 24 | row_number() OVER (PARTITION BY user_id ORDER BY id), user_id, 'import', '', id, created_at FROM imports;
UPDATE libraries SET last_operation = (SELECT count(*) FROM imports WHERE imports.user_id = libraries.user_id);

-- What a row of an import says of a book that is still to be read, kept until the book is started.
ALTER TABLE tbr ADD COLUMN format TEXT CHECK (format IN ('Print', 'eBook', 'Audio'));
ALTER TABLE tbr ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE tbr ADD COLUMN word_count_source TEXT CHECK (word_count_source IN ('entered', 'pages', 'epub'));

DROP TRIGGER items_count_less;
CREATE TRIGGER items_count_less AFTER DELETE ON tbr BEGIN
  UPDATE libraries SET items = items - 1, text_bytes = text_bytes
      - octet_length(OLD.title) - coalesce(octet_length(OLD.author), 0) - coalesce(octet_length(OLD.notes), 0)
      - octet_length(OLD.tags)
    WHERE user_id = OLD.user_id;
END;
DROP TRIGGER items_count_anew;
CREATE TRIGGER items_count_anew AFTER UPDATE OF title, author, notes, tags ON tbr BEGIN
  UPDATE libraries SET text_bytes = text_bytes
      - octet_length(OLD.title) - coalesce(octet_length(OLD.author), 0) - coalesce(octet_length(OLD.notes), 0)
      - octet_length(OLD.tags)
      + octet_length(NEW.title) + coalesce(octet_length(NEW.author), 0) + coalesce(octet_length(NEW.notes), 0)
      + octet_length(NEW.tags)
    WHERE user_id = OLD.user_id;
END;
