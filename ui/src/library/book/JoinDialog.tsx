import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useMemo, useState } from "react";
import { errorMessage } from "../../kit/api/client";
import type { BookTitle, Work } from "../../kit/api/types";
import { bookFinder, bookKeys } from "../../kit/fold";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { roughDate } from "../../kit/roughDate";
import { Radio } from "../../kit/ui/Choice";
import { FormDialog } from "../../kit/ui/FormDialog";
import { Link } from "../../kit/ui/Link";
import { SearchField } from "../../kit/ui/SearchField";
import { toast } from "../../kit/ui/toast";
import { Spinner } from "../../kit/ui/Waiting";
import { isAlreadyReading, openRead } from "../books/AlreadyReading";
import { titlesQuery } from "../books/api";
import { useJoin } from "../books/workQueries";
import css from "./Book.module.css";

/** The books that are listed at most. */
const MOST = 8;

/** Another book of the library, with its reads. */
interface Other {
  work: number;
  title: string;
  author: string;
  reads: BookTitle[];
}

/** The other books, each once, in the order of the titles. */
function othersOf(titles: readonly BookTitle[], own: number): Other[] {
  const works = new Map<number, Other>();
  for (const title of titles) {
    if (title.work === own) continue;
    const known = works.get(title.work);
    if (known) known.reads.push(title);
    else works.set(title.work, { work: title.work, title: title.title, author: title.author, reads: [title] });
  }
  return [...works.values()];
}

function readsOf({ author, reads }: Other): string {
  const last = reads.reduce((newest, read) =>
    (read.dateCompleted ?? "") > (newest?.dateCompleted ?? "") ? read : newest,
  );
  const finished = last.dateCompleted ? `, finished ${roughDate(last.dateCompleted, last.completedFrom)}` : "";
  return `${author}, ${counted(reads.length, "read")}${finished}`;
}

/** Says that another book of the library is the same book: its reads come to this one. */
export function JoinDialog({ work, onClose }: { work: Work; onClose: () => void }) {
  const id = useId();
  const { data: titles } = useQuery(titlesQuery);
  const [sought, setSought] = useState(work.authors[0] ?? "");
  const [chosen, setChosen] = useState<number | null>(null);
  const { mutateAsync } = useJoin(work.id);
  const others = useMemo(() => othersOf(titles ?? [], work.id), [titles, work.id]);
  const finds = bookFinder(sought);
  const found = others.filter(({ title, author }) => finds(bookKeys(title, author)));
  const other = others.find((one) => one.work === chosen);
  const join = async () => {
    if (chosen === null) return;
    await mutateAsync(chosen);
    toast({ title: "Merged", description: work.title });
  };
  return (
    <FormDialog
      title="Merge with another book"
      text="All its reads move here."
      label="Merge"
      busy="Merging..."
      action={join}
      disabled={!other}
      failed={(error) => sentence(error, onClose)}
      noValidate
      onClose={onClose}
    >
      <SearchField label="Find a book" placeholder="Title or author" value={sought} onSearch={setSought} />
      {!titles && <Spinner>Fetching your books</Spinner>}
      <fieldset className={css.others}>
        <legend className="vh">Book</legend>
        {found.slice(0, MOST).map((one) => (
          <Radio key={one.work} name={id} checked={one.work === chosen} onChange={() => setChosen(one.work)}>
            <bdi className="serif" dir="auto">
              {one.title}
            </bdi>
            <br />
            <span className="hint">{readsOf(one)}</span>
          </Radio>
        ))}
      </fieldset>
      <p className="hint" role="status">
        {titles && found.length === 0 && "No other book has this title or author."}
        {found.length > MOST && `${counted(found.length - MOST, "further book")}: type more of the title.`}
      </p>
      {other && (
        <p>
          Afterwards “{work.title}” is one book with {counted(work.reads.length + other.reads.length, "read")}. Each
          read keeps its own title, edition, rating and words.
        </p>
      )}
    </FormDialog>
  );
}

function sentence(error: unknown, onFollow: () => void): ReactNode {
  if (!isAlreadyReading(error)) return errorMessage(error, "Please try again.");
  const open = openRead(error);
  return (
    <>
      You are reading both. Finish one of them first.{" "}
      {open !== null && (
        <Link href={paths.book(open)} onClick={onFollow}>
          Go to the open read
        </Link>
      )}
    </>
  );
}
