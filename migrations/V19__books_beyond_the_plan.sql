-- How many of an import's refused rows were only refused because the plan had no room for their books.
ALTER TABLE imports ADD COLUMN beyond_limit INTEGER NOT NULL DEFAULT 0;

-- Of those from before, by the reason that was stored with each row.
UPDATE imports SET beyond_limit = (
  SELECT count(*) FROM import_rows
  WHERE id BETWEEN imports.id << 25 AND (imports.id << 25 | 0x1ffffff)
    AND reason GLOB 'Beyond the * books of the Reader plan.'
) WHERE errors > 0;
