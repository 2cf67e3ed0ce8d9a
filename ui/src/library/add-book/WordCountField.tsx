import { useState } from "react";
import { useWatch } from "react-hook-form";
import { counted, whole } from "../../kit/format";
import { Button, TextButton } from "../../kit/ui/Button";
import { Field, Input } from "../../kit/ui/Field";
import { Popover } from "../../kit/ui/Popover";
import { pagesOf } from "../books/model";
import { isShortened, WORDS_PER_PAGE, wholeNumber, wordsOfPages } from "../books/numbers";
import css from "./AddBook.module.css";
import type { BookFormState } from "./useBookForm";

const OF_PAGES = { shouldDirty: true, shouldValidate: true } as const;

/** Fills in pages, and the words that follow from them. */
function workOut(form: BookFormState, pages: number): void {
  form.setValue("pages", String(pages), OF_PAGES);
  form.setValue("wordCount", String(pages * WORDS_PER_PAGE), OF_PAGES);
  form.setValue("wordCountSource", "pages", { shouldDirty: true });
}

/** The word count, typed or calculated from pages, and where it comes from. */
export function WordCountField({ form }: { form: BookFormState }) {
  const [source, pages, typed] = useWatch({ control: form.control, name: ["wordCountSource", "pages", "wordCount"] });
  return (
    <Field
      label="Word Count"
      error={form.formState.errors.wordCount?.message}
      hint={
        <>
          {source === "pages" && `From ${counted(wholeNumber(pages), "page")}. `}
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

/**
 * The page count. Without a word count of its own, a book gets its words from the pages, and they follow each change of
 * the pages.
 */
export function PagesField({ form }: { form: BookFormState }) {
  const follow = () => {
    const { pages, wordCount, wordCountSource } = form.getValues();
    if (wordCountSource !== "pages" && wholeNumber(wordCount) !== 0) return;
    const words = wordsOfPages(pages);
    form.setValue("wordCount", words > 0 ? String(words) : "", OF_PAGES);
    form.setValue("wordCountSource", words > 0 ? "pages" : "entered", { shouldDirty: true });
  };
  return (
    <Field label="Pages" error={form.formState.errors.pages?.message}>
      <Input className="num" inputMode="numeric" autoComplete="off" {...form.register("pages", { onChange: follow })} />
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
