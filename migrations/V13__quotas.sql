-- What each account stores, counted: a quota is looked at with every write, and must not cost a scan of the library.
--
-- text_bytes counts the bytes of titles, authors, genres, impressions, quotes and notes, and those of imported rows that are kept,
-- with the header and name of their file. What is added is counted by the writing code, which knows it for a whole import at once.
-- What is changed or goes is counted here, whichever way it goes.
ALTER TABLE libraries ADD COLUMN items INTEGER NOT NULL DEFAULT 0;
ALTER TABLE libraries ADD COLUMN text_bytes INTEGER NOT NULL DEFAULT 0;

UPDATE libraries SET
  items = (SELECT count(*) FROM tbr WHERE id BETWEEN user_id << 24 AND (user_id << 24 | 0xffffff)),
  text_bytes =
    (SELECT coalesce(sum(octet_length(title) + octet_length(author) + octet_length(genres)), 0)
      FROM books WHERE id BETWEEN libraries.user_id << 24 AND (libraries.user_id << 24 | 0xffffff))
    + (SELECT coalesce(sum(coalesce(octet_length(impressions), 0) + octet_length(quotes)), 0)
      FROM book_texts WHERE book_id BETWEEN libraries.user_id << 24 AND (libraries.user_id << 24 | 0xffffff))
    + (SELECT coalesce(sum(octet_length(title) + coalesce(octet_length(author), 0) + coalesce(octet_length(notes), 0)), 0)
      FROM tbr WHERE id BETWEEN libraries.user_id << 24 AND (libraries.user_id << 24 | 0xffffff))
    + (SELECT coalesce(sum(octet_length(header) + octet_length(file_name)), 0) FROM imports WHERE user_id = libraries.user_id)
    + (SELECT coalesce(sum(octet_length(raw) + coalesce(octet_length(reason), 0)), 0)
      FROM imports JOIN import_rows ON import_rows.id BETWEEN imports.id << 25 AND (imports.id << 25 | 0x1ffffff)
      WHERE imports.user_id = libraries.user_id);

CREATE TRIGGER books_count_less AFTER DELETE ON books BEGIN
  UPDATE libraries SET text_bytes = text_bytes - octet_length(OLD.title) - octet_length(OLD.author) - octet_length(OLD.genres)
    WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER books_count_anew AFTER UPDATE OF title, author, genres ON books BEGIN
  UPDATE libraries SET text_bytes = text_bytes
      - octet_length(OLD.title) - octet_length(OLD.author) - octet_length(OLD.genres)
      + octet_length(NEW.title) + octet_length(NEW.author) + octet_length(NEW.genres)
    WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER book_texts_count_less AFTER DELETE ON book_texts BEGIN
  UPDATE libraries SET text_bytes = text_bytes - coalesce(octet_length(OLD.impressions), 0) - octet_length(OLD.quotes)
    WHERE user_id = OLD.book_id >> 24;
END;
CREATE TRIGGER items_count_less AFTER DELETE ON tbr BEGIN
  UPDATE libraries SET items = items - 1, text_bytes = text_bytes
      - octet_length(OLD.title) - coalesce(octet_length(OLD.author), 0) - coalesce(octet_length(OLD.notes), 0)
    WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER items_count_anew AFTER UPDATE OF title, author, notes ON tbr BEGIN
  UPDATE libraries SET text_bytes = text_bytes
      - octet_length(OLD.title) - coalesce(octet_length(OLD.author), 0) - coalesce(octet_length(OLD.notes), 0)
      + octet_length(NEW.title) + coalesce(octet_length(NEW.author), 0) + coalesce(octet_length(NEW.notes), 0)
    WHERE user_id = OLD.user_id;
END;
-- A row that goes with its import finds no import any more; the trigger below has counted it.
CREATE TRIGGER import_rows_count_less AFTER DELETE ON import_rows BEGIN
  UPDATE libraries SET text_bytes = text_bytes - octet_length(OLD.raw) - coalesce(octet_length(OLD.reason), 0)
    WHERE user_id = (SELECT user_id FROM imports WHERE id = OLD.id >> 25);
END;
DROP TRIGGER rows_go_with_their_import;
CREATE TRIGGER rows_go_with_their_import AFTER DELETE ON imports BEGIN
  UPDATE libraries SET text_bytes = text_bytes - octet_length(OLD.header) - octet_length(OLD.file_name)
      - (SELECT coalesce(sum(octet_length(raw) + coalesce(octet_length(reason), 0)), 0)
          FROM import_rows WHERE id BETWEEN OLD.id << 25 AND (OLD.id << 25 | 0x1ffffff))
    WHERE user_id = OLD.user_id;
  DELETE FROM import_rows WHERE id BETWEEN OLD.id << 25 AND (OLD.id << 25 | 0x1ffffff);
END;
