import { useState } from "react";
import type { Book, BookDetail } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { lazyDialog, lazyPart } from "../../kit/ui/lazyPart";
import { Panel } from "../../kit/ui/Panel";
import { storedPassages } from "../books/model";
import { QuoteText } from "../books/QuoteText";
import { daysOf, readName } from "../books/read";
import css from "./Book.module.css";

const EditPart = lazyPart(() => import("../add-book/EditPart").then((all) => all.EditPart));
const QuoteDialog = lazyDialog(() => import("../outbox/QuoteDialog").then((all) => all.QuoteDialog));

interface TextsProps {
  /** All reads of the book, oldest first. */
  reads: readonly BookDetail[];
  /** The read to which a new quote is added. */
  current: Book;
}

/** The impressions and the quotes of all reads, the newest first, each with the way to its form. */
export function Texts({ reads, current }: TextsProps) {
  const [adds, setAdds] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const written = reads
    .map((read, at) => ({ read, at }))
    .filter(({ read }) => read.impressions || storedPassages(read).length > 0);
  return (
    <Panel
      title="Impressions and quotes"
      beside
      end={
        <>
          {!current.impressions && (
            <Button variant="quiet" size="compact" icon="plus" aria-haspopup="dialog" onClick={() => setWriting(true)}>
              Write
            </Button>
          )}
          <Button variant="quiet" size="compact" icon="plus" aria-haspopup="dialog" onClick={() => setAdds(true)}>
            Add a quote
          </Button>
        </>
      }
    >
      {adds && <QuoteDialog book={current} onClose={() => setAdds(false)} />}
      {isWriting && (
        <EditPart read={current} part="impressions" title="Impressions" onClose={() => setWriting(false)} />
      )}
      {written.length === 0 && <p className="aside-text">Nothing yet.</p>}
      {written.reverse().map(({ read, at }) => (
        <TextsOfRead key={read.id} read={read} name={readName(at)} isOnly={reads.length === 1} />
      ))}
    </Panel>
  );
}

interface TextsOfReadProps {
  read: BookDetail;
  /** "Third read". */
  name: string;
  /** Whether the book has no other read. */
  isOnly: boolean;
}

function TextsOfRead({ read, name, isOnly }: TextsOfReadProps) {
  const { impressions } = read;
  const passages = storedPassages(read);
  const [edited, setEdited] = useState<"impressions" | "quotes" | null>(null);
  const edit = (part: "impressions" | "quotes") => (
    <Button
      variant="quiet"
      size="compact"
      icon="edit"
      aria-haspopup="dialog"
      aria-label={isOnly ? `Edit the ${part}` : `Edit the ${part} of the ${name.toLowerCase()}`}
      onClick={() => setEdited(part)}
    >
      Edit
    </Button>
  );
  const when = `${isOnly ? "" : `${name}, `}${daysOf(read)}`;
  return (
    <>
      {impressions && (
        <div className={css.texts}>
          <div className={css.textsHead}>
            <p>{when}</p>
            {edit("impressions")}
          </div>
          <blockquote className={css.impression}>
            <p dir="auto">{impressions}</p>
          </blockquote>
        </div>
      )}
      {passages.length > 0 && (
        <div className={css.texts}>
          <div className={css.textsHead}>
            <p>{impressions ? counted(passages.length, "quote") : when}</p>
            {edit("quotes")}
          </div>
          <ul>
            {passages.map((quote, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two quotes may be equal, and rows hold no state
              <li key={at} className={css.quote}>
                <QuoteText quote={quote} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {edited && (
        <EditPart
          read={read}
          part={edited}
          title={edited === "quotes" ? "Quotes" : "Impressions"}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
