import { useWatch } from "react-hook-form";
import { TextButton } from "../../kit/ui/Button";
import { Field } from "../../kit/ui/Field";
import { NamesInput } from "../../kit/ui/NamesInput";
import { authorsOf } from "../books/facts";
import { Suggestions } from "../books/Suggestions";
import { suggestions } from "../books/suggest";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

interface AuthorsFieldProps {
  form: BookFormState;
  /** The authors of the library, most words first. */
  known: readonly string[];
}

/** The authors in their order. A book has one as a rule, which stands in the field as text. */
export function AuthorsField({ form, known }: AuthorsFieldProps) {
  const [authors, author] = useWatch({ control: form.control, name: ["authors", "author"] });
  const put = (names: string[], text: string) => {
    form.setValue("authors", names, { shouldDirty: true });
    form.setValue("author", text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  const add = () => {
    put(authorsOf({ authors, author }), "");
    form.setFocus("author");
  };
  return (
    <div className="span-2">
      <Field
        label="Authors"
        required
        error={form.formState.errors.author?.message}
        side={
          <TextButton className={css.another} disabled={author.trim() === ""} onClick={add}>
            Another one
          </TextButton>
        }
      >
        <NamesInput
          ordered
          names={authors}
          onNames={(names) => put(names, author)}
          onAdd={add}
          placeholder={authors.length > 0 ? "Another author" : undefined}
          {...form.register("author")}
        />
      </Field>
      <Suggestions
        label="From your library"
        names={suggestions(author, known)}
        onChoose={(name) => {
          put([...authors], name);
          form.setFocus("author");
        }}
      />
    </div>
  );
}
