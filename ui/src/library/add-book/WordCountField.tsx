import { useState } from "react";
import { useWatch } from "react-hook-form";
import { clock, counted, duration, whole } from "../../kit/format";
import { Button, TextButton } from "../../kit/ui/Button";
import { Field, Input } from "../../kit/ui/Field";
import { Popover } from "../../kit/ui/Popover";
import { editionOf, minutesOf, pagesOf } from "../books/model";
import {
  estimatedWords,
  isHoursOrDiscs,
  isShortened,
  WORDS_PER_MINUTE,
  WORDS_PER_PAGE,
  wholeNumber,
} from "../books/numbers";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

const OF_PAGES = { shouldDirty: true, shouldValidate: true } as const;

/** Fills in pages, and the words that follow from them. */
function workOut(form: BookFormState, pages: number): void {
  form.setValue("pages", String(pages), OF_PAGES);
  form.setValue("wordCount", String(pages * WORDS_PER_PAGE), OF_PAGES);
  form.setValue("wordCountSource", "pages", { shouldDirty: true });
}

/** The word count, typed or calculated from pages or the length, and where it comes from. */
export function WordCountField({ form }: { form: BookFormState }) {
  const [source, pages, minutes, typed] = useWatch({
    control: form.control,
    name: ["wordCountSource", "pages", "minutes", "wordCount"],
  });
  return (
    <Field
      label="Word Count"
      error={form.formState.errors.wordCount?.message}
      hint={
        <>
          {source === "pages" && `From ${counted(wholeNumber(pages), "page")}. `}
          {source === "minutes" && `${lengthInWords(minutes)} at ${WORDS_PER_MINUTE} words a minute. `}
          {source === "epub" && "Counted in an EPUB. "}
          {isShortened(typed) && `${counted(wholeNumber(typed), "word")}. `}
          {source === "entered" && "Only know the pages? "}
          <PagesPopover pages={pagesOf(pages)} onUse={(known) => workOut(form, known)} />
        </>
      }
    >
      <Input
        className="num"
        inputMode="numeric"
        autoComplete="off"
        suffix="words"
        {...form.register("wordCount", {
          onChange: () => form.setValue("wordCountSource", "entered", { shouldDirty: true }),
        })}
      />
    </Field>
  );
}

function lengthInWords(typed: string): string {
  const minutes = minutesOf(typed);
  return minutes === null ? "An audiobook" : duration(minutes);
}

/** Lets the words follow the pages, the length and the format, unless somebody has counted them. */
export function followLength(form: BookFormState): void {
  const { wordCount, wordCountSource, ...typed } = form.getValues();
  const isCounted = wordCountSource !== "pages" && wordCountSource !== "minutes" && wholeNumber(wordCount) !== 0;
  if (isCounted) return;
  const estimated = estimatedWords(editionOf(typed));
  form.setValue("wordCount", estimated ? String(estimated.words) : "", OF_PAGES);
  form.setValue("wordCountSource", estimated?.source ?? "entered", { shouldDirty: true });
}

/**
 * The page count. Without a word count of its own, a book gets its words from the pages, and they follow each change of
 * the pages. The hours or discs of an audiobook are not pages.
 */
export function PagesField({ form }: { form: BookFormState }) {
  const [typed, format] = useWatch({ control: form.control, name: ["pages", "format"] });
  const pages = pagesOf(typed);
  const takeAsHours = () => {
    form.setValue("minutes", clock((pages ?? 0) * 60), OF_PAGES);
    form.setValue("pages", "", OF_PAGES);
    followLength(form);
  };
  return (
    <Field
      label="Pages"
      error={form.formState.errors.pages?.message}
      hint={
        isHoursOrDiscs(format, pages) && (
          <>
            {counted(pages, "page")} of an audiobook? No words are counted from {pages === 1 ? "it" : "them"}.{" "}
            <TextButton onClick={takeAsHours}>Use as {counted(pages, "hour")}</TextButton>
          </>
        )
      }
    >
      <Input
        className="num"
        inputMode="numeric"
        autoComplete="off"
        {...form.register("pages", { onChange: () => followLength(form) })}
      />
    </Field>
  );
}

/** The length of an audiobook. Without a word count of its own, it gets its words from the length. */
export function LengthField({ form }: { form: BookFormState }) {
  return (
    <Field label="Length" error={form.formState.errors.minutes?.message}>
      <Input
        className="num"
        placeholder="12:30"
        autoComplete="off"
        suffix="h:mm"
        {...form.register("minutes", { onChange: () => followLength(form) })}
      />
    </Field>
  );
}

/** Pages times 275, shown before it is used. */
function PagesPopover({ pages, onUse }: { pages: number | null; onUse: (pages: number) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const known = wholeNumber(typed);
  const use = () => {
    if (known <= 0) return;
    onUse(known);
    setOpen(false);
  };
  return (
    <Popover
      label="Words from pages"
      open={isOpen}
      onOpenChange={(opens) => {
        if (opens) setTyped(pages ? String(pages) : "");
        setOpen(opens);
      }}
      trigger={<TextButton>Work it out from pages</TextButton>}
      className={css.pages}
      foot={
        <>
          <span className="hint">A good guess for a novel</span>
          <Button variant="primary" size="compact" disabled={known <= 0} onClick={use}>
            Use
          </Button>
        </>
      }
    >
      <div className={css.pagesSum}>
        <Input
          aria-label="Pages"
          className={`num ${css.pagesInput}`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && use()}
        />
        <span>pages × {WORDS_PER_PAGE}</span>
      </div>
      <p className={css.pagesOut}>
        {known > 0 && <span className={css.dots} aria-hidden="true" />}
        <output>{known > 0 && whole(known * WORDS_PER_PAGE)}</output>
        {known > 0 && " words"}
      </p>
    </Popover>
  );
}
