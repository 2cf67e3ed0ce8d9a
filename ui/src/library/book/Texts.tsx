import { useState } from "react";
import type { Book } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Button, LinkButton } from "../../kit/ui/Button";
import { lazyPart } from "../../kit/ui/lazyPart";
import { Panel } from "../../kit/ui/Panel";
import { daysOf, readName } from "../books/read";
import css from "./Book.module.css";

const QuoteDialog = lazyPart(() => import("../outbox/QuoteDialog").then((all) => all.QuoteDialog));

interface TextsProps {
  /** All reads of the book, oldest first. */
  reads: readonly Book[];
  /** The read to which a new quote is added. */
  current: Book;
}

/** The impressions and the quotes of all reads, the newest first, each with the way to its form. */
export function Texts({ reads, current }: TextsProps) {
  const [adds, setAdds] = useState(false);
  const written = reads
    .map((read, at) => ({ read, at }))
    .filter(({ read }) => read.impressions || read.quotes.length > 0);
  return (
    <Panel
      title="Impressions and quotes"
      beside
      end={
        <Button variant="quiet" size="compact" icon="plus" aria-haspopup="dialog" onClick={() => setAdds(true)}>
          Add a quote
        </Button>
      }
    >
      {adds && <QuoteDialog book={current} onClose={() => setAdds(false)} />}
      {written.length === 0 && <p className="aside-text">Nothing written down yet.</p>}
      {written.reverse().map(({ read, at }) => (
        <TextsOfRead key={read.id} read={read} name={readName(at)} isOnly={reads.length === 1} />
      ))}
    </Panel>
  );
}

interface TextsOfReadProps {
  read: Book;
  /** "Third read". */
  name: string;
  /** Whether the book has no other read. */
  isOnly: boolean;
}

function TextsOfRead({ read, name, isOnly }: TextsOfReadProps) {
  const { impressions, quotes } = read;
  return (
    <div className={css.texts}>
      <div className={css.textsHead}>
        <p>
          {!isOnly && `${name}, `}
          {daysOf(read)}
        </p>
        <LinkButton
          variant="quiet"
          size="compact"
          icon="edit"
          href={`${paths.editBook(read.id)}#${impressions ? "impressions" : "quotes"}`}
          aria-label={
            isOnly ? "Edit impressions and quotes" : `Edit impressions and quotes of the ${name.toLowerCase()}`
          }
        >
          Edit
        </LinkButton>
      </div>
      {impressions && (
        <blockquote className={css.impression}>
          <p dir="auto">{impressions}</p>
        </blockquote>
      )}
      {quotes.length > 0 && (
        <ul>
          {quotes.map((quote, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two quotes may be equal, and rows hold no state
            <li key={at} className={css.quote} dir="auto">
              “{quote}”
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
