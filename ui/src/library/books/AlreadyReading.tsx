import type { ReactNode } from "react";
import { ApiError, errorMessage } from "../../kit/api/client";
import { paths } from "../../kit/paths";
import { Link } from "../../kit/ui/Link";

interface AlreadyReadingProps {
  /** The read that is in progress; null when the server did not name it. */
  bookId: number | null;
  /** Called before the link is followed. */
  onFollow?: (() => void) | undefined;
}

/** Says that a book has a read in progress, with a link to its page. */
function AlreadyReading({ bookId, onFollow }: AlreadyReadingProps) {
  return (
    <>
      You are reading this already.
      {bookId !== null && (
        <>
          {" "}
          <Link href={paths.book(bookId)} onClick={onFollow}>
            Go to the open read
          </Link>
        </>
      )}
    </>
  );
}

/** Whether a change was refused because the book has a read in progress. */
export function isAlreadyReading(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "already_reading";
}

/** The read that a refusal with the code `already_reading` names. */
export function openRead(error: ApiError): number | null {
  return typeof error.body.bookId === "number" ? error.body.bookId : null;
}

/** The sentence of a refusal. One that names a read in progress has a link to it. */
export function refusalText(error: unknown, onFollow?: () => void): ReactNode {
  if (!isAlreadyReading(error)) return errorMessage(error, "Please try again.");
  return <AlreadyReading bookId={openRead(error)} onFollow={onFollow} />;
}
