-- Titles and names are compared by keys that leave out punctuation. The functions are the program's own (src/kit/keys.rs).
UPDATE books SET title_key = title_key(title), author_key = name_key(replace(author, char(31), ', ')), series_key = title_key(series)
  WHERE (title_key, author_key, series_key)
    IS NOT (title_key(title), name_key(replace(author, char(31), ', ')), title_key(series));
UPDATE tbr SET title_key = title_key(title), author_key = name_key(author)
  WHERE (title_key, author_key) IS NOT (title_key(title), name_key(author));
-- Answers that are kept elsewhere are no longer current.
UPDATE libraries SET revision = revision + 1;

-- Works that look like the same book, and are not, by any of their reads.
CREATE TABLE distinct_works (
  one INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  other INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  PRIMARY KEY (one, other),
  CHECK (one < other),
  CHECK (one >> 24 = other >> 24)
) STRICT, WITHOUT ROWID;

CREATE INDEX distinct_works_by_other ON distinct_works (other);
