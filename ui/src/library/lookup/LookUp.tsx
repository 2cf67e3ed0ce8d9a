import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useId, useState } from "react";
import { useSite } from "../../access/site";
import { errorMessage } from "../../kit/api/client";
import type { FoundBook } from "../../kit/api/types";
import { Alert } from "../../kit/ui/Alert";
import { Button } from "../../kit/ui/Button";
import { SearchField } from "../../kit/ui/SearchField";
import { Spinner } from "../../kit/ui/Waiting";
import { useDebouncedTransition } from "../../kit/useDebouncedTransition";
import type { BookFormState } from "../add-book/useBookForm";
import { NO_LANGUAGE } from "../books/facts";
import { lookUpQuery, offlineQuery } from "./api";
import { type Filling, fillingOf } from "./fill";
import css from "./LookUp.module.css";
import { whoIsAsked } from "./sources";

/** How long typing rests before the catalogue on the server is asked, in milliseconds. */
const TYPING_PAUSE = 120;

const load = () => import("./Results");
const Results = lazy(load);
const ScanDialog = lazy(() => import("./scan/ScanDialog"));
const Filled = lazy(() => import("./Filled"));

/** A book that was chosen, and what it filled in. */
interface Chosen {
  book: FoundBook;
  filling: Filling;
}

/** Finds the book in catalogues and fills in the empty fields of its form. Absent where this server asks no catalogue. */
export function LookUp({ form }: { form: BookFormState }) {
  const { lookup: hosts = [], offlineCatalogue: isOffline = false } = useSite().data ?? {};
  return hosts.length > 0 || isOffline ? <LookUpPanel form={form} hosts={hosts} isOffline={isOffline} /> : null;
}

interface LookUpPanelProps {
  form: BookFormState;
  hosts: readonly string[];
  isOffline: boolean;
}

function LookUpPanel({ form, hosts, isOffline }: LookUpPanelProps) {
  const hint = useId();
  const [typed, setTyped] = useState("");
  const [question, setQuestion] = useState("");
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [isScanning, setScanning] = useState(false);
  const { data, error, isFetching, refetch } = useQuery(lookUpQuery(question));
  const rested = useDebouncedTransition(typed.trim(), TYPING_PAUSE);
  // What was asked everywhere is not asked again in one place.
  const typing = isOffline && rested.length >= 2 && rested !== question ? rested : "";
  const offline = useQuery(offlineQuery(typing));

  const ask = (words = typed) => {
    const wanted = words.trim();
    if (wanted.length < 2) return;
    // The list is needed when the answer comes.
    void load();
    setChosen(null);
    if (wanted === question && error) void refetch();
    else setQuestion(wanted);
  };
  const choose = (book: FoundBook) => {
    const filling = fillingOf(book, form.getValues());
    write(form, filling);
    setChosen({ book, filling });
  };
  const scanned = (isbn: string) => {
    setScanning(false);
    setTyped(isbn);
    ask(isbn);
  };
  const change = () => {
    if (chosen) write(form, withdrawn(chosen.filling, form));
    setChosen(null);
  };

  return (
    <section className={css.look} aria-label="Look it up">
      <div className={css.bar}>
        <SearchField
          className={css.field}
          label="Look it up"
          placeholder="Title, author or ISBN"
          autoComplete="off"
          maxLength={200}
          aria-describedby={hint}
          value={typed}
          onSearch={setTyped}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            // Enter asks; it does not send the form around this field. A hand scanner types it after the digits.
            event.preventDefault();
            ask();
          }}
        />
        <button type="button" className={css.scan} aria-label="Scan" onClick={() => setScanning(true)}>
          <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d="M4 5v14M8 5v14M11 5v14M15 5v14M17.5 5v14M20 5v14" />
          </svg>
          <span>Scan</span>
        </button>
        <Button variant="outline" size="compact" busy={isFetching && "Looking up..."} onClick={() => ask()}>
          Look up
        </Button>
      </div>
      <p className="hint" id={hint}>
        {whoIsAsked(hosts, isOffline)}
      </p>
      <Suspense fallback={<Spinner>Opening the list</Spinner>}>
        {isFetching && <Spinner>{`Asking ${hosts.join(", ") || "the catalogue on this server"}`}</Spinner>}
        {!isFetching && !typing && error && (
          <Alert>{errorMessage(error, "The book could not be looked up. Try again, or type it in.")}</Alert>
        )}
        {!isFetching && typing && offline.data && !chosen && (
          <Results question={typing} answer={offline.data} form={form} onChoose={choose} />
        )}
        {!isFetching && !typing && data && !chosen && (
          <Results question={question} answer={data} form={form} onChoose={choose} />
        )}
        {isScanning && <ScanDialog onFound={scanned} onClose={() => setScanning(false)} />}
        {chosen && <Filled book={chosen.book} filling={chosen.filling} onChange={change} />}
      </Suspense>
    </section>
  );
}

/** Writes values into the form, and checks them where the form was sent before. */
function write(form: BookFormState, filling: Filling): void {
  for (const [field, value] of Object.entries(filling)) {
    form.setValue(field as keyof Filling, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  }
}

/** Empties the fields that still have what was filled in. */
function withdrawn(filling: Filling, form: BookFormState): Filling {
  const left: Filling = {};
  for (const field of Object.keys(filling) as (keyof Filling)[]) {
    if (field === "wordCountSource" || String(form.getValues(field)) !== String(filling[field])) continue;
    if (field === "authors") left.authors = [];
    else left[field] = field === "language" ? NO_LANGUAGE : "";
    if (field === "wordCount") left.wordCountSource = "entered";
  }
  return left;
}
