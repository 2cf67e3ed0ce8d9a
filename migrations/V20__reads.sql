-- Reads: a row of `books` is one read, and rows with the same `work` are reads of the same book. The table is made anew, once, with
-- every column that reads and the whole book need: first the columns that every pass over a library reads, as before.
--
-- Foreign keys must be off meanwhile, as dropping the former table would delete what refers to its rows. The program switches them
-- off before; this stops a migration where they are on and there is something to lose.
CREATE TEMP TABLE checked (
  foreign_keys INTEGER CONSTRAINT "foreign keys must be off during this migration" CHECK (foreign_keys = 0),
  broken INTEGER CONSTRAINT "rows refer to missing rows" CHECK (broken = 0)
);
INSERT INTO checked (foreign_keys) SELECT foreign_keys FROM pragma_foreign_keys WHERE EXISTS (SELECT 1 FROM books);

CREATE TABLE rebuilt_books (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('completed', 'in-progress', 'undated', 'did-not-finish')),
  -- yyyy-MM-dd; of a rough date the last possible day
  date_completed TEXT CHECK ((date_completed IS NOT NULL) = (status = 'completed')),
  start_date TEXT CHECK (start_date IS NULL OR status <> 'undated'),
  word_count INTEGER NOT NULL CHECK (word_count BETWEEN 0 AND 100000000),
  -- in tenths of a point
  rating INTEGER CHECK (rating IS NULL OR (rating BETWEEN 0 AND 100 AND status <> 'in-progress')),
  format TEXT NOT NULL CHECK (format IN ('Print', 'eBook', 'Audio')),
  reread INTEGER NOT NULL CHECK (reread IN (0, 1)),
  word_distribution TEXT NOT NULL CHECK (word_distribution IN ('final', 'spread', 'logged')),
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  -- title and author without case and accents: what searching, sorting and comparing look at
  title_key TEXT NOT NULL,
  author_key TEXT NOT NULL,
  -- joined by commas, as no genre has one
  genres TEXT NOT NULL,
  -- of a rough date the first possible day; null where date_completed is exact
  completed_from TEXT,
  -- the key of the first row of the same book: its own, if it is that row
  work INTEGER NOT NULL,
  -- the day on which a read was given up
  stopped_date TEXT CHECK (stopped_date IS NULL OR status = 'did-not-finish'),
  -- the day since which a read rests
  paused_since TEXT CHECK (paused_since IS NULL OR status = 'in-progress'),
  pages INTEGER CHECK (pages BETWEEN 1 AND 100000),
  isbn TEXT CHECK (length(isbn) = 13),
  word_count_source TEXT NOT NULL CHECK (word_count_source IN ('entered', 'pages', 'epub')),
  -- whether the book has a row in book_texts: most have none, and are then not looked up
  has_texts INTEGER NOT NULL CHECK (has_texts IN (0, 1)),
  -- how often its reader changed it since it was made: undoing an import keeps what was changed
  changes INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  -- the name of the series, the same folded, the number as written, and the number in thousandths where it is one
  series TEXT,
  series_key TEXT CHECK ((series_key IS NULL) = (series IS NULL)),
  series_number TEXT CHECK (series_number IS NULL OR series IS NOT NULL),
  series_sort INTEGER CHECK (series_sort IS NULL OR series_number IS NOT NULL),
  -- joined by commas, as genres
  tags TEXT NOT NULL DEFAULT '',
  -- a JSON list of names with their roles
  contributors TEXT,
  publisher TEXT,
  -- a year, a month or a day
  published TEXT,
  original_year INTEGER CHECK (original_year BETWEEN -3000 AND 2100),
  -- a language tag of BCP 47
  language TEXT,
  -- the key of its picture
  cover INTEGER CHECK (cover >> 24 = user_id),
  CHECK (id >> 24 = user_id),
  CHECK (work >> 24 = user_id),
  CHECK (completed_from IS NULL OR (
    status = 'completed' AND completed_from <= date_completed AND start_date IS NULL AND word_distribution = 'final'
  ))
) STRICT;

-- One reader after the other, so that what has to be kept in memory is one reader's library at most: rows of equal folded title and
-- author become one work, named after the first of them. A unit separator, which parts authors from now on, becomes a blank; the
-- program logs the books in which it did.
CREATE TEMP TABLE owners (id INTEGER PRIMARY KEY);
CREATE TEMP TABLE later_reads (id INTEGER PRIMARY KEY, work INTEGER NOT NULL);
CREATE TEMP TABLE blanked_authors (id INTEGER PRIMARY KEY);
CREATE TEMP TRIGGER rebuild_a_library AFTER INSERT ON owners BEGIN
  DELETE FROM later_reads;
  INSERT INTO later_reads SELECT id, work
    FROM (SELECT id, min(id) OVER (PARTITION BY title_key, author_key) AS work
      FROM books WHERE id BETWEEN NEW.id << 24 AND (NEW.id << 24 | 0xffffff))
    WHERE work < id;
  INSERT INTO blanked_authors SELECT id FROM books
    WHERE id BETWEEN NEW.id << 24 AND (NEW.id << 24 | 0xffffff) AND instr(author, char(31)) > 0;
  INSERT INTO rebuilt_books (id, user_id, status, date_completed, start_date, word_count, rating, format, reread, word_distribution,
      title, author, title_key, author_key, genres, work, pages, isbn, word_count_source, has_texts, changes, created_at, updated_at)
    SELECT id, user_id, status, date_completed, start_date, word_count, rating * 10, format, reread, word_distribution,
      title, replace(author, char(31), ' '), title_key, replace(author_key, char(31), ' '), genres,
      coalesce((SELECT work FROM later_reads WHERE later_reads.id = books.id), id), pages, isbn, word_count_source, has_texts,
      changes, created_at, updated_at
    FROM books WHERE id BETWEEN NEW.id << 24 AND (NEW.id << 24 | 0xffffff) ORDER BY id;
END;
INSERT INTO owners SELECT id FROM users ORDER BY id;
DROP TRIGGER rebuild_a_library;
DROP TABLE owners;
DROP TABLE later_reads;

-- The triggers and the index of the former table go with it.
DROP TABLE books;
ALTER TABLE rebuilt_books RENAME TO books;

-- The one order that a library is paged in without reading it whole; undated books come last.
CREATE INDEX books_by_completion ON books (user_id, date_completed DESC, id DESC);

-- The log of a read: where its reader was on which day. The key begins with the owner, so that one range is one reader's whole log.
CREATE TABLE reading_days (
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  -- yyyy-MM-dd
  day TEXT NOT NULL,
  -- the place reached, in hundredths of a percent; null where its reader only said that they read
  at INTEGER CHECK (at BETWEEN 0 AND 10000),
  -- as typed; null where a percentage was
  page INTEGER CHECK (page IS NULL OR (page BETWEEN 0 AND 100000 AND at IS NOT NULL)),
  minutes INTEGER CHECK (minutes BETWEEN 0 AND 1440),
  note TEXT,
  -- what a hand wrote outranks every device
  source TEXT NOT NULL CHECK (source IN ('hand', 'koreader', 'kobo', 'kindle', 'audiobookshelf', 'calibre')),
  PRIMARY KEY (book_id, day)
) STRICT, WITHOUT ROWID;

-- The words of each month of a read whose distribution is 'logged'; written whenever the read or its log changes.
CREATE TABLE read_months (
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  -- yyyy-MM
  month TEXT NOT NULL,
  words INTEGER NOT NULL CHECK (words > 0),
  PRIMARY KEY (book_id, month)
) STRICT, WITHOUT ROWID;

-- What an account stores, as before, with the new texts of books and the notes of the log.
CREATE TRIGGER books_count_less AFTER DELETE ON books BEGIN
  UPDATE libraries SET text_bytes = text_bytes - octet_length(OLD.title) - octet_length(OLD.author) - octet_length(OLD.genres)
      - coalesce(octet_length(OLD.series), 0) - octet_length(OLD.tags) - coalesce(octet_length(OLD.contributors), 0)
      - coalesce(octet_length(OLD.publisher), 0)
    WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER books_count_anew AFTER UPDATE OF title, author, genres, series, tags, contributors, publisher ON books BEGIN
  UPDATE libraries SET text_bytes = text_bytes
      - octet_length(OLD.title) - octet_length(OLD.author) - octet_length(OLD.genres)
      - coalesce(octet_length(OLD.series), 0) - octet_length(OLD.tags) - coalesce(octet_length(OLD.contributors), 0)
      - coalesce(octet_length(OLD.publisher), 0)
      + octet_length(NEW.title) + octet_length(NEW.author) + octet_length(NEW.genres)
      + coalesce(octet_length(NEW.series), 0) + octet_length(NEW.tags) + coalesce(octet_length(NEW.contributors), 0)
      + coalesce(octet_length(NEW.publisher), 0)
    WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER notes_count_more AFTER INSERT ON reading_days WHEN NEW.note IS NOT NULL BEGIN
  UPDATE libraries SET text_bytes = text_bytes + octet_length(NEW.note) WHERE user_id = NEW.book_id >> 24;
END;
CREATE TRIGGER notes_count_anew AFTER UPDATE OF note ON reading_days BEGIN
  UPDATE libraries SET text_bytes = text_bytes - coalesce(octet_length(OLD.note), 0) + coalesce(octet_length(NEW.note), 0)
    WHERE user_id = NEW.book_id >> 24;
END;
CREATE TRIGGER notes_count_less AFTER DELETE ON reading_days WHEN OLD.note IS NOT NULL BEGIN
  UPDATE libraries SET text_bytes = text_bytes - octet_length(OLD.note) WHERE user_id = OLD.book_id >> 24;
END;

INSERT INTO checked (broken) SELECT count(*) FROM pragma_foreign_key_check HAVING count(*) > 0;
DROP TABLE checked;
