import { useQuery } from "@tanstack/react-query";
import type { Goal } from "../kit/api/types";
import { counted, duration } from "../kit/format";
import { paths } from "../kit/paths";
import { roughDate } from "../kit/roughDate";
import { Button } from "../kit/ui/Button";
import { Dialog, DialogClose } from "../kit/ui/Dialog";
import { Fetched } from "../kit/ui/Fetched";
import { Link } from "../kit/ui/Link";
import { goalBooksQuery } from "./api";
import { goalName } from "./model";
import css from "./Reading.module.css";

/** The books that count for a goal. */
export function GoalBooksDialog({ goal, today, onClose }: { goal: Goal; today: string; onClose: () => void }) {
  const query = useQuery(goalBooksQuery(goal));
  return (
    <Dialog
      onClose={onClose}
      title={goalName(goal, today)}
      foot={
        <DialogClose>
          <Button>Close</Button>
        </DialogClose>
      }
    >
      <Fetched query={query} waiting="Fetching the books" failed="The books could not be loaded.">
        {({ data, hidden }) => (
          <>
            {data.length === 0 && <p className="aside-text">No books yet.</p>}
            <ol className={css.counted}>
              {data.map((book) => (
                <li key={book.id}>
                  <span dir="auto">
                    <Link href={paths.book(book.id)}>{book.title}</Link>
                  </span>
                  <span className="muted num">
                    {roughDate(book.dateCompleted ?? "", book.completedFrom)}
                    {goal.metric === "words" && `, ${counted(book.wordCount, "word")}`}
                    {goal.metric === "minutes" && `, ${book.minutes === null ? "no length" : duration(book.minutes)}`}
                    {goal.metric === "pages" && `, ${book.pages === null ? "no pages" : counted(book.pages, "page")}`}
                  </span>
                </li>
              ))}
            </ol>
            {hidden > 0 && (
              <p className="hint">
                {counted(hidden, "more book counts", "more books count")} that your plan does not show.
              </p>
            )}
          </>
        )}
      </Fetched>
    </Dialog>
  );
}
