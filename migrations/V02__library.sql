-- What readers own: books and the to-be-read list.
--
-- Keys are made of owner and number (user_id << 24 | number), so that a reader's rows lie side by side and one range scan reads
-- a whole library. Long texts have a table of their own, so that the scan stays narrow.

-- One row a reader: what changed how often, and which numbers are given.
CREATE TABLE libraries (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- raised by every transaction that writes below: lists and statistics are tagged with it
  revision INTEGER NOT NULL DEFAULT 0,
  -- books of every status, hidden ones included: the cap counts them
  books INTEGER NOT NULL DEFAULT 0 CHECK (books >= 0),
  -- the last numbers given; a number is never given twice
  last_book INTEGER NOT NULL DEFAULT 0,
  last_item INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE books (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  status TEXT NOT NULL CHECK (status IN ('completed', 'in-progress', 'undated')),
  -- yyyy-MM-dd
  date_completed TEXT CHECK ((date_completed IS NOT NULL) = (status = 'completed')),
  start_date TEXT CHECK (start_date IS NULL OR status <> 'undated'),
  word_count INTEGER NOT NULL CHECK (word_count BETWEEN 0 AND 100000000),
  rating INTEGER CHECK (rating IS NULL OR (rating BETWEEN 0 AND 10 AND status <> 'in-progress')),
  format TEXT NOT NULL CHECK (format IN ('Print', 'eBook', 'Audio')),
  reread INTEGER NOT NULL CHECK (reread IN (0, 1)),
  word_distribution TEXT NOT NULL CHECK (word_distribution IN ('final', 'spread')),
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  -- title and author without case and accents: what searching, sorting and comparing look at
  title_key TEXT NOT NULL,
  author_key TEXT NOT NULL,
  -- joined by commas, as no genre has one
  genres TEXT NOT NULL,
  pages INTEGER CHECK (pages BETWEEN 1 AND 100000),
  isbn TEXT CHECK (length(isbn) = 13),
  word_count_source TEXT NOT NULL CHECK (word_count_source IN ('entered', 'pages', 'epub')),
  -- whether the book has a row in book_texts: most have none, and are then not looked up
  has_texts INTEGER NOT NULL CHECK (has_texts IN (0, 1)),
  -- how often its reader changed it since it was made: undoing an import keeps what was changed
  changes INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  CHECK (id >> 24 = user_id)
) STRICT;

-- The one order that a library is paged in without reading it whole; undated books come last.
CREATE INDEX books_by_completion ON books (user_id, date_completed DESC, id DESC);

CREATE TABLE book_texts (
  book_id INTEGER PRIMARY KEY REFERENCES books (id) ON DELETE CASCADE,
  impressions TEXT,
  -- a JSON list of texts
  quotes TEXT NOT NULL
) STRICT;

CREATE TABLE tbr (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- the reader's order, lowest first
  position INTEGER NOT NULL,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  author TEXT,
  author_key TEXT,
  word_count INTEGER CHECK (word_count BETWEEN 0 AND 100000000),
  pages INTEGER CHECK (pages BETWEEN 1 AND 100000),
  isbn TEXT CHECK (length(isbn) = 13),
  notes TEXT,
  -- as for books; a new place in the list is no change
  changes INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  CHECK (id >> 24 = user_id)
) STRICT;

-- Deleting an account looks its rows up by owner.
CREATE INDEX tbr_of_user ON tbr (user_id);
