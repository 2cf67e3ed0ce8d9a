-- Each day of a log counts for the quota of texts, with its note or without: a row takes about 32 bytes besides the note.
DROP TRIGGER notes_count_more;
DROP TRIGGER notes_count_less;
CREATE TRIGGER days_count_more AFTER INSERT ON reading_days BEGIN
  UPDATE libraries SET text_bytes = text_bytes + 32 + coalesce(octet_length(NEW.note), 0) WHERE user_id = NEW.book_id >> 24;
END;
CREATE TRIGGER days_count_less AFTER DELETE ON reading_days BEGIN
  UPDATE libraries SET text_bytes = text_bytes - 32 - coalesce(octet_length(OLD.note), 0) WHERE user_id = OLD.book_id >> 24;
END;
UPDATE libraries SET text_bytes = text_bytes
    + 32 * (SELECT count(*) FROM reading_days WHERE book_id BETWEEN user_id << 24 AND user_id << 24 | 0xffffff);
