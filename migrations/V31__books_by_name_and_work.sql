-- A new read looks for its book by title and author, and for the other reads of its book, while nobody else can write.
CREATE INDEX books_by_name ON books (user_id, title_key, author_key, work);
CREATE INDEX books_of_work ON books (work);
