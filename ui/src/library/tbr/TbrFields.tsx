import { counted, whole } from "../../kit/format";
import { Field, Input, Textarea } from "../../kit/ui/Field";
import { isShortened, wholeNumber, wordsOfPages } from "../books/numbers";
import type { ItemForm } from "../books/tbrItem";

interface TbrFieldsProps {
  item: ItemForm;
  /** A sentence for each refused field of a form that is no dialog. */
  refused?: Readonly<Record<string, string>>;
  onChange: (item: ItemForm) => void;
  /** Whether to include the ISBN also where none is known, which the form for a new item leaves out. */
  all?: boolean;
}

/** How the words are understood: worked out from the pages, or typed in another form than plain digits. */
function wordsHint({ wordCount, pages }: ItemForm): string | null {
  const words = wordsOfPages(pages);
  if (!/\p{Nd}/u.test(wordCount)) return words > 0 ? `${whole(words)} words, from the pages.` : null;
  return isShortened(wordCount) ? `${counted(wholeNumber(wordCount), "word")}.` : null;
}

/** The fields of a to-be-read item. */
export function TbrFields({ item, refused = {}, onChange, all }: TbrFieldsProps) {
  const field = (name: keyof ItemForm) => ({
    name,
    value: item[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => onChange({ ...item, [name]: event.target.value }),
  });
  return (
    <>
      <div className="form-grid">
        <Field className="span-2" label="Title" required name="title" error={refused.title}>
          <Input titled {...field("title")} />
        </Field>
        <Field label="Author" name="author" error={refused.author}>
          <Input {...field("author")} />
        </Field>
        <Field className="half" label="Word Count" name="wordCount" error={refused.wordCount} hint={wordsHint(item)}>
          <Input className="num" inputMode="numeric" suffix="words" {...field("wordCount")} />
        </Field>
        <Field className="half" label="Pages" name="pages" error={refused.pages}>
          <Input className="num" inputMode="numeric" {...field("pages")} />
        </Field>
        {(all || item.isbn !== "") && (
          <Field label="ISBN" name="isbn" error={refused.isbn}>
            <Input className="num" {...field("isbn")} />
          </Field>
        )}
      </div>
      <Field label="Notes" name="notes" error={refused.notes}>
        <Textarea rows={all ? 2 : 3} placeholder="Who recommended it, which translation" {...field("notes")} />
      </Field>
    </>
  );
}
