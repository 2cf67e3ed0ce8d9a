import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Book } from "../../kit/api/types";
import { leaveTo, navigate, originPath } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { titlesQuery } from "../books/api";

const DeleteDialog = lazyDialog(() => import("../books/DeleteDialog").then((all) => all.DeleteDialog));

interface DeleteBookProps {
  book: Book;
  /** Runs the deletion. It also removes the form's draft when the deletion succeeds. */
  onDelete: (remove: () => Promise<unknown>) => Promise<unknown>;
}

/** The button that deletes the book of the form. */
export function DeleteBook({ book, onDelete }: DeleteBookProps) {
  const [isAsking, setAsking] = useState(false);
  const { data: titles } = useQuery(titlesQuery);
  const others = titles?.filter(({ id, work }) => work === book.work && id !== book.id) ?? [];
  const leave = () => {
    const other = others.at(-1);
    // The page of the deleted book is gone; it goes on with another read of the book.
    if (originPath() !== paths.book(book.id)) leaveTo(paths.dashboard());
    else navigate(other ? paths.book(other.id) : paths.dashboard());
  };
  return (
    <>
      <Button
        variant="danger-outline"
        icon="trash"
        className="push"
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      >
        Delete Book
      </Button>
      {isAsking && (
        <DeleteDialog
          read={book}
          others={others.length}
          onDelete={onDelete}
          onClose={() => setAsking(false)}
          onDeleted={leave}
        />
      )}
    </>
  );
}
