import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { useSite } from "../../access/site";
import { errorMessage } from "../../kit/api/client";
import { LOOK_UP_BOOKS } from "../../kit/api/limits";
import type { FoundBook } from "../../kit/api/types";
import { Button } from "../../kit/ui/Button";
import { NotFetched } from "../../kit/ui/Fetched";
import { lazyWithin } from "../../kit/ui/lazyPart";
import { SearchField } from "../../kit/ui/SearchField";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { Spinner } from "../../kit/ui/Waiting";
import { useDebouncedTransition } from "../../kit/useDebouncedTransition";
import { authorsOf } from "../books/facts";
import { hasIsbn } from "../books/isbn";
import { wholeNumber } from "../books/numbers";
import type { CoverState } from "../covers/useCover";
import { lookUpQuery, offlineQuery } from "./api";
import { coverOf } from "./covers";
import { type Chosen, type FilledForm, fillingOf, fillsCover, formerOf, missing, type Offer, withdrawn } from "./fill";
import css from "./LookUp.module.css";
import { whoIsAsked } from "./sources";

/** The pause in typing after which the catalogue on the server is asked, in milliseconds. */
const TYPING_PAUSE = 120;

/** The fewest characters that are asked for. */
const SHORTEST = 2;

const load = () => import("./Results").then((all) => all.default);
const Results = lazyWithin(load);
const ScanDialog = lazyWithin(() => import("./scan/ScanDialog").then((all) => all.default));
const Compare = lazyWithin(() => import("./Compare").then((all) => all.default));
const Filled = lazyWithin(() => import("./Filled").then((all) => all.default));

interface LookUpProps {
  form: FilledForm;
  /** The cover is saved with the form. A form without one takes none. */
  cover?: CoverState;
  /** Whether a reader ticks what a book fills in. Otherwise it fills in what is empty. */
  asksFirst?: boolean;
  /** What stands in the field at first. Nothing is asked before a press. */
  words?: string;
  /** Whether the box of the chosen book stands in the place of the field and of title, authors and words. */
  isQuick?: boolean;
  /** A book was chosen that filled in all of these, or its reader wants to change them. */
  onQuick?: (isQuick: boolean) => void;
  /** Whether the field has the focus at first, where no keyboard would cover the form. */
  hasFocus?: boolean;
}

/** Finds the book in catalogues and fills in the empty fields of its form. Absent where this server asks no catalogue. */
export function LookUp(props: LookUpProps) {
  const { lookup: hosts = [], offlineCatalogue: isOffline = false } = useSite().data ?? {};
  return hosts.length > 0 || isOffline ? <LookUpPanel {...props} hosts={hosts} isOffline={isOffline} /> : null;
}

interface LookUpPanelProps extends LookUpProps {
  hosts: readonly string[];
  isOffline: boolean;
}

function LookUpPanel(props: LookUpPanelProps) {
  const { form, cover, asksFirst, words = "", isQuick, onQuick, hasFocus, hosts, isOffline } = props;
  const client = useQueryClient();
  const [typed, setTyped] = useState(words);
  const [question, setQuestion] = useState("");
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [compared, setCompared] = useState<FoundBook | null>(null);
  const [isScanning, setScanning] = useState(false);
  /** Whether a single book of an ISBN is taken as soon as it is found. */
  const [isAwaited, setAwaited] = useState(false);
  /** Whether too little was typed to be asked for. */
  const [isShort, setShort] = useState(false);
  const { data, error, isFetching, refetch } = useQuery(lookUpQuery(question));
  const rested = useDebouncedTransition(typed.trim(), TYPING_PAUSE);
  // What was asked everywhere is not asked again in one place.
  const typing = isOffline && rested.length >= SHORTEST && rested !== question ? rested : "";
  const offline = useQuery(offlineQuery(typing));

  const ask = (words = typed) => {
    const wanted = words.trim();
    setShort(wanted.length < SHORTEST);
    if (wanted.length < SHORTEST) return;
    // The list is needed when the answer comes.
    load().catch(() => undefined);
    setChosen(null);
    setCompared(null);
    setAwaited(!asksFirst && hasIsbn(wanted));
    if (wanted === question && error) void refetch();
    else setQuestion(wanted);
  };
  const take = (book: FoundBook, taken: readonly Offer[], withCover: boolean) => {
    const filling = fillingOf(taken);
    setCompared(null);
    setChosen({ book, taken, former: formerOf(filling, form.values()), withCover });
    form.fill(filling);
    onQuick?.(isComplete(form.values()));
    if (withCover && book.cover !== null) void cover?.choose(coverOf(client, book, book.cover), "lookup");
  };
  const choose = (book: FoundBook) =>
    asksFirst ? setCompared(book) : take(book, missing(form.offersOf(book)), fillsCover(book, cover));
  const only = data?.data.length === 1 ? data.data[0] : undefined;
  useEffect(() => {
    if (!isAwaited || isFetching || (!data && !error)) return;
    setAwaited(false);
    if (only) choose(only);
  });
  const scanned = (isbn: string) => {
    setScanning(false);
    setTyped(isbn);
    ask(isbn);
  };
  const takeBack = () => {
    if (!chosen) return;
    form.fill(withdrawn(fillingOf(chosen.taken), chosen.former, form.values()));
    if (chosen.withCover) cover?.takeBack("lookup");
    setChosen(null);
  };

  // The button that was pressed is disabled, or gone with the box that it was in.
  const outcome = useStepFocus<HTMLDivElement>([isFetching, chosen !== null, compared !== null].join(), {
    onlyIfLost: true,
  });
  const isListed = !isFetching && !chosen && !compared;

  return (
    <section className={css.look} aria-label="Look it up">
      {!isQuick && (
        <QuestionField
          words={typed}
          asked={whoIsAsked(hosts, isOffline)}
          isBusy={isFetching}
          isShort={isShort}
          hasFocus={hasFocus}
          onType={(words) => {
            setTyped(words);
            setShort(false);
          }}
          onAsk={() => ask()}
          onScan={() => setScanning(true)}
        />
      )}
      <div className={css.outcome} ref={outcome} tabIndex={-1}>
        <Suspense fallback={<Spinner>Opening the list</Spinner>}>
          {isFetching && <Spinner>{`Asking ${hosts.join(", ") || "the catalog on this server"}`}</Spinner>}
          {!isFetching && !typing && error && (
            <NotFetched onRetry={() => void refetch()}>
              {errorMessage(error, "The book could not be looked up. Try again, or type it in.")}
            </NotFetched>
          )}
          {isListed && typing && offline.data && (
            <Results
              {...{ form, cover }}
              question={typing}
              answer={offline.data}
              withCovers={false}
              onChoose={choose}
            />
          )}
          {isListed && !typing && data && (
            <Results {...{ form, cover }} question={question} answer={data} withCovers onChoose={choose} />
          )}
          {isScanning && <ScanDialog onFound={scanned} onClose={() => setScanning(false)} />}
          {compared && cover && (
            <Compare
              book={compared}
              offers={form.offersOf(compared)}
              cover={cover}
              onTake={(offers, withCover) => take(compared, offers, withCover)}
              onCancel={() => setCompared(null)}
            />
          )}
          {chosen && (
            <Filled
              {...chosen}
              cover={cover}
              act={isQuick ? "Change" : "Take back"}
              onAct={isQuick ? () => onQuick?.(false) : takeBack}
            />
          )}
        </Suspense>
      </div>
    </section>
  );
}

interface QuestionFieldProps {
  words: string;
  /** Where the question goes, in a sentence. */
  asked: string;
  isBusy: boolean;
  /** Whether too little was typed. */
  isShort: boolean;
  hasFocus?: boolean;
  onType: (words: string) => void;
  onAsk: () => void;
  onScan: () => void;
}

/** The field for a title, an author or an ISBN, with the buttons that look it up and that read a barcode. */
function QuestionField({ words, asked, isBusy, isShort, hasFocus, onType, onAsk, onScan }: QuestionFieldProps) {
  const hint = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [isFirst] = useState(hasFocus && window.matchMedia?.("(pointer: fine)").matches);
  useEffect(() => {
    if (isFirst) frame.current?.querySelector("input")?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <>
      <div className={css.bar} ref={frame}>
        <SearchField
          className={css.field}
          label="Look it up"
          placeholder="Title, author or ISBN"
          autoComplete="off"
          maxLength={LOOK_UP_BOOKS.q.maxLength}
          aria-describedby={hint}
          value={words}
          onSearch={onType}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            // Enter asks; it does not send the form around this field. A hand scanner types it after the digits.
            event.preventDefault();
            onAsk();
          }}
        />
        <button type="button" className={css.scan} aria-label="Scan" onClick={onScan}>
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M4 5v14M8 5v14M11 5v14M15 5v14M17.5 5v14M20 5v14" />
          </svg>
          <span>Scan</span>
        </button>
        <Button variant="outline" size="compact" busy={isBusy && "Looking up..."} onClick={onAsk}>
          Look up
        </Button>
      </div>
      <p className="hint" id={hint} aria-live="polite">
        {isShort ? "Type at least two characters." : asked}
      </p>
    </>
  );
}

/** Whether a form has what its first fields ask for. */
const isComplete = (form: ReturnType<FilledForm["values"]>) =>
  form.title.trim() !== "" && authorsOf(form).length > 0 && wholeNumber(form.wordCount) > 0;
