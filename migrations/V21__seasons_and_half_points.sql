-- The months of a reader's seasons; null follows the time zone.
ALTER TABLE preferences ADD COLUMN hemisphere TEXT CHECK (hemisphere IN ('north', 'south'));
-- The step between two ratings of the form, in tenths of a point.
ALTER TABLE preferences ADD COLUMN rating_step INTEGER NOT NULL DEFAULT 10 CHECK (rating_step IN (5, 10));

-- How many of an import's skipped rows were left out on purpose. Their texts are in `import_rows` from now on, with the field
-- 'left-out' and without a reason.
ALTER TABLE imports ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
