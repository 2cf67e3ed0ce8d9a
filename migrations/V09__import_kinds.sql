-- Which list an import was for: its figures alone do not tell books from items.
ALTER TABLE imports ADD COLUMN kind TEXT NOT NULL DEFAULT 'books' CHECK (kind IN ('books', 'tbr'));

-- Of those from before, the ones whose items are still there; beside books, items were counted apart.
UPDATE imports SET kind = 'tbr' WHERE imported > 0 AND imported_tbr = 0 AND EXISTS (
  SELECT 1 FROM imported_items WHERE row_id BETWEEN imports.id << 25 AND (imports.id << 25 | 0x1ffffff)
);
