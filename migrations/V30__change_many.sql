-- A change of many books is an operation of its own kind. The check is changed in place as in V26, because replacing the table would
-- delete what its triggers and rows stand for.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''delete-tag'', ''device'')', '''delete-tag'', ''device'', ''change'')')
  WHERE type = 'table' AND name = 'operations';
PRAGMA writable_schema = RESET;
CREATE TABLE changed_schema (number INTEGER) STRICT;
DROP TABLE changed_schema;
