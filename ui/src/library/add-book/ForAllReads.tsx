import { useId } from "react";
import { useWatch } from "react-hook-form";
import type { Book } from "../../kit/api/types";
import { and } from "../../kit/format";
import { SegmentedControl } from "../../kit/ui/SegmentedControl";
import { authorsOf } from "../books/facts";
import { formOf, sharedChanges } from "../books/model";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

/** The reads that a change of title, author or genres is for. */
export type Scope = "all" | "one";

interface ForAllReadsProps {
  form: BookFormState;
  /** The stored book. */
  book: Book;
  /** The number of reads of the book. */
  reads: number;
  scope: Scope;
  onChoose: (scope: Scope) => void;
}

/** Asks whether a change of title, author or genres is for all reads of the book. Nothing while none of them is changed. */
export function ForAllReads({ form, book, reads, scope, onChoose }: ForAllReadsProps) {
  const id = useId();
  const [title, authors, author, genres] = useWatch({
    control: form.control,
    name: ["title", "authors", "author", "genres"],
  });
  const changed = sharedChanges(formOf(book), { title, authors, author, genres });
  const several = authorsOf({ authors, author }).length > 1;
  if (reads < 2 || changed.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the choice inside is a fieldset already
    <div className={css.forAll} role="group" aria-labelledby={id}>
      <p id={id} role="status">
        You changed the {and(changed)}. <bdi dir="auto">{book.title}</bdi> has {reads} reads.
        {scope === "all" &&
          ` All of them get this title, ${several ? "these authors" : "this author"} and these genres.`}
      </p>
      <SegmentedControl
        label="Reads to change"
        name={id}
        options={[
          { value: "all", label: `For all ${reads} reads` },
          { value: "one", label: "Only for this one" },
        ]}
        value={scope}
        onChoose={onChoose}
      />
    </div>
  );
}
