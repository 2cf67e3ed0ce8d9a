import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { errorMessage } from "../../../kit/api/client";
import type { LikelyDuplicate, Work } from "../../../kit/api/types";
import { counted } from "../../../kit/format";
import { paths } from "../../../kit/paths";
import { roughDate } from "../../../kit/roughDate";
import { Button } from "../../../kit/ui/Button";
import { Link } from "../../../kit/ui/Link";
import { toast } from "../../../kit/ui/toast";
import { isAlreadyReading } from "../../books/AlreadyReading";
import { useJoin } from "../../books/workQueries";
import { duplicatesQuery, useKeepApart } from "./api";
import css from "./History.module.css";

/** The pairs that are listed at first. */
const FIRST = 5;

const REASONS: Record<LikelyDuplicate["because"], string> = {
  "same title and author": "Same title and author",
  "same ISBN": "Same ISBN",
  "same title, one author shared": "Same title, one author in common",
};

/** Books that stand twice in the library, as far as one can tell; nothing where there are none. */
export function Duplicates() {
  const { data } = useQuery(duplicatesQuery);
  const [showsAll, setShowsAll] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  if (!data || data.length === 0) return null;
  const shown = showsAll ? data : data.slice(0, FIRST);
  return (
    <section className={`panel ${css.likely}`} aria-labelledby={id}>
      <h2 className="h2" id={id} ref={heading} tabIndex={-1}>
        Likely the same book
      </h2>
      <ul>
        {shown.map((pair) => (
          <Pair key={`${pair.a.id}-${pair.b.id}`} {...pair} onDone={() => heading.current?.focus()} />
        ))}
      </ul>
      {data.length > shown.length && <Button onClick={() => setShowsAll(true)}>Show all {data.length}</Button>}
    </section>
  );
}

function Pair({ a, b, because, onDone }: LikelyDuplicate & { onDone: () => void }) {
  const join = useJoin(a.id);
  const keepApart = useKeepApart(a.id);
  const answer = async (done: Promise<unknown>, title: string) => {
    try {
      await done;
    } catch (error) {
      const description = isAlreadyReading(error)
        ? "You are reading both. Finish one of them first."
        : errorMessage(error, "Please try again.");
      toast({ title: "Nothing was changed", description, destructive: true });
      return;
    }
    toast({ title, description: a.title });
    onDone();
  };
  const names = `${a.title}, ${b.title}`;
  return (
    <li className={css.pair}>
      {[a, b].map((work) => (
        <p key={work.id}>
          <Link className="serif" dir="auto" href={paths.book(work.id)}>
            {work.title}
          </Link>
          <br />
          <span className="hint">
            <bdi dir="auto">{work.authors.join(", ")}</bdi>, {readsOf(work)}
          </span>
        </p>
      ))}
      <p className={css.because}>{REASONS[because]}</p>
      <div className={css.acts}>
        <Button
          size="compact"
          aria-label={`Merge: ${names}`}
          busy={join.isPending && "Merging..."}
          disabled={keepApart.isPending}
          onClick={() => answer(join.mutateAsync(b.id), "Merged")}
        >
          Merge
        </Button>
        <Button
          variant="quiet"
          size="compact"
          aria-label={`Not the same: ${names}`}
          busy={keepApart.isPending && "Saving..."}
          disabled={join.isPending}
          onClick={() => answer(keepApart.mutateAsync(b.id), "Kept apart")}
        >
          Not the same
        </Button>
      </div>
    </li>
  );
}

function readsOf({ reads }: Work): string {
  const last = [...reads].reverse().find(({ dateCompleted }) => dateCompleted !== null);
  const finished = last?.dateCompleted ? `, finished ${roughDate(last.dateCompleted, last.completedFrom)}` : "";
  return `${counted(reads.length, "read")}${finished}`;
}
