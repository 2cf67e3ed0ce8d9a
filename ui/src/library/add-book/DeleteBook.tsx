import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { errorMessage } from "../../kit/api/client";
import type { Book } from "../../kit/api/types";
import { leaveTo, originPath } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { bluesByRank } from "../../kit/spine/rank";
import { Button } from "../../kit/ui/Button";
import { AlertDialog, DialogItem } from "../../kit/ui/Dialog";
import { toast } from "../../kit/ui/toast";
import { optionsQuery, titlesQuery, useDeleteBook } from "../books/api";
import { isUnfinished } from "../books/StatusBadge";
import css from "./AddBook.module.css";

interface DeleteBookProps {
  book: Book;
  /** Runs the deletion. It also removes the form's draft when the deletion succeeds. */
  onDelete: (remove: () => Promise<unknown>) => Promise<void>;
}

/** Deletes a book after the reader has confirmed it. */
export function DeleteBook({ book, onDelete }: DeleteBookProps) {
  const [isAsking, setAsking] = useState(false);
  const deleteBook = useDeleteBook(book.id);
  const { data: options } = useQuery(optionsQuery);
  const blueOf = bluesByRank(options?.genres.map(({ name }) => name) ?? []);

  const { data: titles } = useQuery(titlesQuery);
  const other = titles?.findLast(({ id, work }) => work === book.work && id !== book.id);

  const confirm = async () => {
    try {
      await onDelete(() => deleteBook.mutateAsync());
    } catch (error) {
      setAsking(false);
      const description = errorMessage(error, "Please try again.");
      toast({ title: "Failed to delete book", description, destructive: true });
      return;
    }
    toast({ title: "Book deleted successfully!" });
    // The page of the deleted book is gone; it goes on with another read of the book.
    if (originPath() !== paths.book(book.id)) leaveTo(paths.dashboard());
    else navigate(other ? paths.book(other.id) : paths.dashboard());
  };

  return (
    <>
      <Button variant="danger-outline" icon="trash" className="push" onClick={() => setAsking(true)}>
        Delete Book
      </Button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Are you sure you want to delete this book?"
        text="This action cannot be undone. This will permanently delete the book from your collection."
        cancel="Keep book"
        confirm="I'm sure"
        busy={deleteBook.isPending && "Deleting..."}
        onConfirm={confirm}
      >
        <DialogItem>
          <MiniSpine
            wordCount={book.wordCount}
            rating={book.rating}
            blue={blueOf(book.genres[0])}
            outlined={isUnfinished(book)}
          />
          <div>
            <p className={css.itemTitle} dir="auto">
              {book.title}
            </p>
            <p className={css.itemAuthor} dir="auto">
              {book.author}
            </p>
          </div>
        </DialogItem>
      </AlertDialog>
    </>
  );
}
