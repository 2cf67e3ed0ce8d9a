-- A newer file of a tracker: the row of the last file that was compared with a book or an item. `row_id` and `nth` stay those of the import
-- that made it, which takes it back when it is undone.
ALTER TABLE imported_books ADD COLUMN newer_row INTEGER;
-- which of that row's readings; -1 where the row is one of the to-be-read list
ALTER TABLE imported_books ADD COLUMN newer_nth INTEGER;
ALTER TABLE imported_items ADD COLUMN newer_row INTEGER;
