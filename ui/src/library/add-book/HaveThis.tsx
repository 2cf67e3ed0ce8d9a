import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import { useToday } from "../../access/today";
import type { BookTitle } from "../../kit/api/types";
import { nameKey, titleKey } from "../../kit/fold";
import { navigate } from "../../kit/origin";
import { paths } from "../../kit/paths";
import { roughDate } from "../../kit/roughDate";
import { Button, LinkButton } from "../../kit/ui/Button";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { titlesQuery } from "../books/api";
import { authorsOf } from "../books/facts";
import { currentRead, isFinished } from "../books/read";
import type { BookFormState } from "../books/useBookForm";
import { workQuery } from "../books/workQueries";
import css from "./AddBook.module.css";

const AgainDialog = lazyDialog(() => import("../books/AgainDialog").then((all) => all.AgainDialog));

interface HaveThisProps {
  form: BookFormState;
  /** Called before the page is left for the book that is here. */
  onLeave: () => void;
}

/** Offers to read a book again whose title and author are in the library already. */
export function HaveThis({ form, onLeave }: HaveThisProps) {
  const [title, authors, author] = useWatch({ control: form.control, name: ["title", "authors", "author"] });
  const [first = ""] = authorsOf({ authors, author });
  const isTyped = title.trim() !== "" && first !== "";
  const { data: titles = [] } = useQuery({ ...titlesQuery, enabled: isTyped });
  const [other, setOther] = useState("");
  const key = `${titleKey(title)} ${nameKey(first)}`;
  const isSame = (one: BookTitle) =>
    titleKey(one.title) === titleKey(title) && one.author.split(", ").some((name) => nameKey(name) === nameKey(first));
  const known = isTyped && key !== other ? titles.find(isSame) : undefined;
  if (!known) return null;
  return (
    <Offer
      key={known.work}
      known={known}
      reads={titles.filter(({ work }) => work === known.work)}
      onLeave={onLeave}
      onOther={() => {
        setOther(key);
        form.setFocus("author");
      }}
    />
  );
}

interface OfferProps {
  known: BookTitle;
  reads: readonly BookTitle[];
  onLeave: () => void;
  onOther: () => void;
}

function Offer({ known, reads, onLeave, onOther }: OfferProps) {
  const today = useToday();
  const [isAsked, setAsked] = useState(false);
  const { data: work } = useQuery({ ...workQuery(known.work), enabled: isAsked });
  const read = work && currentRead(work.reads);
  const isOpen = reads.some(({ status }) => status === "in-progress");
  const open = () => {
    onLeave();
    navigate(paths.book(known.id));
  };
  return (
    <section className={`span-2 ${css.have}`} aria-label="You have this">
      <div role="status">
        <p className={css.haveTitle}>{isOpen ? "You’re reading this." : "You have this. Read it again?"}</p>
        <p className="hint">{sentence(known, reads)}</p>
      </div>
      <div className={css.haveActs}>
        {!isOpen && (
          <Button variant="primary" size="compact" aria-haspopup="dialog" onClick={() => setAsked(true)}>
            Read again
          </Button>
        )}
        <LinkButton size="compact" href={paths.book(known.id)} onClick={onLeave}>
          Open the book
        </LinkButton>
        <Button variant="quiet" size="compact" onClick={onOther}>
          Add it as another book
        </Button>
      </div>
      {work && read && isAsked && (
        <AgainDialog work={work} read={read} today={today} onClose={() => setAsked(false)} onStarted={open} />
      )}
    </section>
  );
}

/** `“Dune” by Frank Herbert, read 3 times, last: Jun 22, 2025.` */
function sentence({ title, author }: BookTitle, reads: readonly BookTitle[]): string {
  const book = `“${title}” by ${author}`;
  const finished = reads.filter(isFinished);
  const dated = finished.flatMap(({ dateCompleted: to, completedFrom }) =>
    to === null ? [] : [{ to, completedFrom }],
  );
  const last = dated.sort((one, next) => next.to.localeCompare(one.to))[0];
  const when = last && roughDate(last.to, last.completedFrom);
  if (finished.length === 0) return `${book}, not finished yet.`;
  if (finished.length === 1) return when ? `${book}, read once: ${when}.` : `${book}, read once.`;
  const times = finished.length === 2 ? "twice" : `${finished.length} times`;
  return when ? `${book}, read ${times}, last: ${when}.` : `${book}, read ${times}.`;
}
