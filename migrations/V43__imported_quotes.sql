-- Passages that came with files, as hashes: one that its reader deleted or changed does not come again with the next file.
CREATE TABLE imported_quotes (
  book_id INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  -- the first 8 bytes of the SHA-256 of the text in the form in which texts are compared, or of a note
  hash INTEGER NOT NULL,
  PRIMARY KEY (book_id, hash)
) STRICT, WITHOUT ROWID;
