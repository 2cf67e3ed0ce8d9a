-- Whether a book is shown to its reader alone; equal in all reads of a work.
ALTER TABLE books ADD COLUMN private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1));
