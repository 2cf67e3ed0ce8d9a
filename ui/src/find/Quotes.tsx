import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useRef, useState } from "react";
import { useToday } from "../access/today";
import { errorMessage, newKey, withQuery } from "../kit/api/client";
import type { Quote } from "../kit/api/types";
import { download } from "../kit/download";
import { longDate } from "../kit/format";
import { paths } from "../kit/paths";
import { sizeOf } from "../kit/size";
import { Alert } from "../kit/ui/Alert";
import { Button, IconButton } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { Fetched } from "../kit/ui/Fetched";
import { Select } from "../kit/ui/Field";
import { FileButton } from "../kit/ui/FileButton";
import { FileRow } from "../kit/ui/FileField";
import { Link } from "../kit/ui/Link";
import { lazyDialog, lazyPart } from "../kit/ui/lazyPart";
import { SegmentedControl } from "../kit/ui/SegmentedControl";
import { toast } from "../kit/ui/toast";
import { useRowFocus } from "../kit/ui/useRowFocus";
import { useStepFocus } from "../kit/ui/useStepFocus";
import { optionsQuery, tagsQuery } from "../library/books/api";
import { readFile } from "../library/import/api";
import importCss from "../library/import/Import.module.css";
import { quoteOfTheDayQuery, quotesQuery, type Wanted } from "./api";
import css from "./Find.module.css";
import { More } from "./More";
import { QUOTE_FILES, quoteFileRefusal } from "./quoteFile";

const EditQuote = lazyDialog(() => import("./EditQuote").then((all) => all.EditQuote));
const QuoteFile = lazyPart(() => import("./QuoteFile").then((all) => all.QuoteFile));

/** Stands for every tag or author in a selection, whose options may not be empty. */
const ANY = " ";

/** The quotes of the library, and the way in for those of another program's file. */
export function Quotes() {
  const [file, setFile] = useState<Awaited<ReturnType<typeof readFile>>>();
  const frame = useStepFocus<HTMLDivElement>(file ?? "none");
  const close = () => setFile(undefined);
  const choose = async (chosen: File) => setFile(await readFile(chosen, quoteFileRefusal));
  return (
    <div className={importCss.steps} ref={frame} tabIndex={-1}>
      {file?.at === "chosen" && <QuoteFile key={file.file.id} file={file.file} onClose={close} />}
      {file?.at === "refused" && (
        <>
          <Alert>{file.sentence}</Alert>
          <FileRow name={file.name} hint={sizeOf(file.size)} bad onRemove={close} />
        </>
      )}
      {file?.at !== "chosen" && <AllQuotes onFile={choose} />}
    </div>
  );
}

/** The quotes in a list, the newest book's first, or one at a time at random. */
function AllQuotes({ onFile }: { onFile: (file: File) => void }) {
  const [seed, setSeed] = useState<string | undefined>();
  const [of, setOf] = useState<Omit<Wanted, "seed">>({});
  const query = useInfiniteQuery({ ...quotesQuery({ ...of, seed }), placeholderData: keepPreviousData });
  const quotes = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const matching = query.data?.pages[0]?.matching ?? 0;
  const isEmpty = query.data !== undefined && matching === 0 && !of.tag && !of.author;
  const more = query.hasNextPage && !query.isFetchingNextPage ? query.fetchNextPage : null;
  const { data, refetch } = query;
  const error = query.isFetchNextPageError ? null : query.error;
  return (
    <Fetched query={{ data, error, refetch }} waiting="Fetching your quotes" failed="Your quotes could not be loaded.">
      {() =>
        isEmpty ? (
          <Empty
            title="No quotes yet"
            action={
              <FileButton variant="primary" icon="upload" accept={QUOTE_FILES} onFile={onFile}>
                Choose the file
              </FileButton>
            }
          >
            Add them in a book, or bring your Kindle’s “My Clippings.txt”, Readwise’s CSV or KOReader’s JSON.
          </Empty>
        ) : (
          <div>
            <div className={css.choices}>
              <SegmentedControl
                label="Order"
                options={[
                  { value: "book", label: "By book" },
                  { value: "random", label: "At random" },
                ]}
                value={seed === undefined ? "book" : "random"}
                onChoose={(order) => setSeed(order === "book" ? undefined : newKey())}
              />
              <OfSelects of={of} onChoose={setOf} />
            </div>
            <div className={css.acts}>
              <FileButton size="compact" variant="quiet" icon="upload" accept={QUOTE_FILES} onFile={onFile}>
                Import quotes
              </FileButton>
              {matching > 0 && <Download of={of} />}
            </div>
            {matching === 0 && <p className="aside-text">No quotes match.</p>}
            {seed === undefined ? (
              <List quotes={quotes} matching={matching} pages={query} />
            ) : query.isPlaceholderData ? (
              // The quotes of the former order: the first of them would be read and go.
              <div className={css.leaf} aria-busy="true" />
            ) : (
              <Leaf key={JSON.stringify([seed, of])} quotes={quotes} matching={matching} more={more} />
            )}
          </div>
        )
      }
    </Fetched>
  );
}

/** Saves the quotes as a file in Markdown. */
function Download({ of }: { of: Omit<Wanted, "seed"> }) {
  const downloading = useMutation({
    mutationFn: () => download(withQuery("/api/quotes", { format: "md", ...of }), "quotes.md"),
    onError: (error) =>
      toast({
        title: "The quotes could not be downloaded",
        description: errorMessage(error, "Please try again."),
        destructive: true,
      }),
  });
  return (
    <Button
      size="compact"
      variant="quiet"
      icon="download"
      busy={downloading.isPending && "Downloading..."}
      onClick={() => downloading.mutate()}
    >
      Download as Markdown
    </Button>
  );
}

interface OfSelectsProps {
  of: Omit<Wanted, "seed">;
  onChoose: (of: Omit<Wanted, "seed">) => void;
}

function OfSelects({ of, onChoose }: OfSelectsProps) {
  const { data: tags = [] } = useQuery(tagsQuery);
  const { data: options } = useQuery(optionsQuery);
  const choices = (any: string, names: readonly string[]) => [
    { value: ANY, label: any },
    ...names.map((name) => ({ value: name, label: name })),
  ];
  const authors = options?.authors.map(({ name }) => name) ?? [];
  return (
    <>
      {tags.length > 0 && (
        <Select
          aria-label="Tag"
          className={css.choice}
          options={choices(
            "Any tag",
            tags.map(({ name }) => name),
          )}
          value={of.tag ?? ANY}
          onChoose={(tag) => onChoose({ ...of, tag: tag === ANY ? undefined : tag })}
        />
      )}
      <Select
        aria-label="Author"
        className={css.choice}
        options={choices("Any author", authors)}
        value={of.author ?? ANY}
        onChoose={(author) => onChoose({ ...of, author: author === ANY ? undefined : author })}
      />
    </>
  );
}

interface ShownProps {
  quotes: readonly Quote[];
  matching: number;
}

function List({ quotes, matching, pages }: ShownProps & { pages: ComponentProps<typeof More>["pages"] }) {
  const [edited, setEdited] = useState<Quote | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useRowFocus(list, quotes);
  return (
    <>
      <ul className={css.quotes} ref={list}>
        {quotes.map((quote, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two quotes may be equal, and rows hold no state
          <li key={at}>
            <figure>
              {quote.text !== "" && (
                <blockquote className={css.quote} dir="auto">
                  {quote.text}
                </blockquote>
              )}
              <figcaption className={css.source}>
                <Source quote={quote} />
                {quote.day && <span className="muted">{longDate(quote.day)}</span>}
              </figcaption>
              {quote.note && (
                <p className={css.note} dir="auto">
                  {quote.note}
                </p>
              )}
            </figure>
            <IconButton
              icon="edit"
              label={`Edit the quote from ${quote.title}`}
              aria-haspopup="dialog"
              onClick={() => setEdited(quote)}
            />
          </li>
        ))}
      </ul>
      <More list={list} shown={quotes.length} matching={matching} one="quote" pages={pages} />
      {edited && <EditQuote quote={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function Source({ quote: { bookId, title, author, place } }: { quote: Quote }) {
  return (
    <>
      <span>
        <Link href={paths.book(bookId)} className="serif" dir="auto">
          {title}
        </Link>
        , <bdi dir="auto">{author}</bdi>
      </span>
      {place && (
        <span className="muted" dir="auto">
          {place}
        </span>
      )}
    </>
  );
}

/** A quote that stays the same for a day; nothing without one. */
export function QuoteOfTheDay() {
  const { data: quote } = useQuery(quoteOfTheDayQuery(useToday()));
  if (!quote) return null;
  return (
    <figure className={css.ofTheDay}>
      <blockquote className={css.quote} dir="auto">
        {quote.text || quote.note}
      </blockquote>
      <figcaption className={css.source}>
        <Source quote={quote} />
      </figcaption>
    </figure>
  );
}

/** One quote at a time. */
function Leaf({ quotes, matching, more }: ShownProps & { more: (() => unknown) | null }) {
  const [at, setAt] = useState(0);
  const turn = useStepFocus<HTMLDivElement>(at, { onlyIfLost: true });
  const quote = quotes[at];
  if (!quote) return null;
  const go = (to: number) => {
    // The next page is asked for before its first quote is reached.
    if (to >= quotes.length - 2) more?.();
    if (to < quotes.length) setAt(to);
  };
  return (
    <>
      <figure className={css.leaf} aria-live="polite">
        <blockquote className={css.large} dir="auto">
          {quote.text || quote.note}
        </blockquote>
        <figcaption className={css.source}>
          <Source quote={quote} />
        </figcaption>
      </figure>
      <div className={css.turn} ref={turn} tabIndex={-1}>
        <Button variant="quiet" disabled={at === 0} onClick={() => go(at - 1)}>
          Previous
        </Button>
        <Button disabled={at + 1 >= matching} onClick={() => go(at + 1)}>
          Another
        </Button>
      </div>
    </>
  );
}
