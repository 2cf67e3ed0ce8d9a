-- Whether a read that a device reports as finished is finished without a question.
ALTER TABLE preferences ADD COLUMN finish_by_itself INTEGER NOT NULL DEFAULT 0 CHECK (finish_by_itself IN (0, 1));
