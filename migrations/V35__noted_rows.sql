-- What syncs noted of ties, rows and items becomes one form of note: a row of a table, as it was before and after, so that a sync from
-- before the upgrade can still be undone.
UPDATE undo SET kind = 'row', before = CASE kind
  WHEN 'link' THEN json_object(
    'table', iif(json_extract(before, '$.is_book'), 'imported_books', 'imported_items'),
    'key', json_array(
      json_array(iif(json_extract(before, '$.is_book'), 'book_id', 'item_id'), json_extract(before, '$.id')),
      json_array('row_id', coalesce(
        json_extract(before, '$.origin'),
        iif(json_extract(before, '$.is_book'),
          (SELECT row_id FROM imported_books WHERE book_id = json_extract(before, '$.id') AND made = 1),
          (SELECT row_id FROM imported_items WHERE item_id = json_extract(before, '$.id') AND made = 1)),
        0))),
    'before', iif(json_extract(before, '$.is_book'),
      json_object(
        'newer_row', json_extract(before, '$.before[0]'), 'newer_nth', json_extract(before, '$.before[1]'),
        'row_key', json_object('hex', json_extract(before, '$.before[2]'))),
      json_object(
        'newer_row', json_extract(before, '$.before[0]'),
        'row_key', json_object('hex', json_extract(before, '$.before[2]')))),
    'after', iif(json_extract(before, '$.is_book'),
      json_object(
        'newer_row', json_extract(before, '$.after[0]'), 'newer_nth', json_extract(before, '$.after[1]'),
        'row_key', json_object('hex', json_extract(before, '$.after[2]'))),
      json_object(
        'newer_row', json_extract(before, '$.after[0]'),
        'row_key', json_object('hex', json_extract(before, '$.after[2]')))))
  WHEN 'row' THEN json_object(
    'table', 'import_rows',
    'key', json_array(json_array('id', json_extract(before, '$.id'))),
    'before', json_object(
      'id', json_extract(before, '$.id'), 'raw', json_extract(before, '$.raw'), 'said', json_extract(before, '$.said')),
    'after', NULL)
  ELSE json_object(
    'table', 'tbr',
    'key', json_array(json_array('id', json_extract(before, '$.id'))),
    'before', json_extract(before, '$.before'),
    'after', json_extract(before, '$.after'))
  END
WHERE kind IN ('link', 'row', 'item');
