import { useWatch } from "react-hook-form";
import { clock, counted } from "../../kit/format";
import { TextButton } from "../../kit/ui/Button";
import { Field, Input } from "../../kit/ui/Field";
import { type BookForm, editionOf, pagesOf } from "../books/model";
import { estimatedWords, isHoursOrDiscs, isShortened, wholeNumber } from "../books/numbers";
import type { BookFormState } from "../books/useBookForm";

const OF_PAGES = { shouldDirty: true, shouldValidate: true } as const;

/** Where a word count comes from that no one has typed. */
const ESTIMATES: Partial<Record<BookForm["wordCountSource"], string>> = {
  pages: "Estimated from the pages.",
  minutes: "Estimated from the length.",
  epub: "Counted in an EPUB.",
};

/** The word count, typed or estimated, and where it comes from. */
export function WordCountField({ form }: { form: BookFormState }) {
  const [source, typed] = useWatch({ control: form.control, name: ["wordCountSource", "wordCount"] });
  return (
    <Field
      className="half"
      label="Word Count"
      error={form.formState.errors.wordCount?.message}
      hint={ESTIMATES[source] || (isShortened(typed) && `${counted(wholeNumber(typed), "word")}.`)}
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

/** Lets the words follow the pages, the length and the format, unless someone has counted them. */
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
      className="half"
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
    <Field className="half" label="Length" error={form.formState.errors.minutes?.message}>
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
