import { Field, Input, Textarea } from "../../kit/ui/Field";
import type { ItemForm } from "./model";

interface TbrFieldsProps {
  item: ItemForm;
  /** A sentence for each refused field. */
  refused: Readonly<Record<string, string>>;
  onChange: (item: ItemForm) => void;
  /** Whether to include pages and ISBN, which the form for a new item leaves out. */
  all?: boolean;
}

/** The fields of a to-be-read item. */
export function TbrFields({ item, refused, onChange, all }: TbrFieldsProps) {
  const field = (name: keyof ItemForm) => ({
    name,
    value: item[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => onChange({ ...item, [name]: event.target.value }),
  });
  return (
    <>
      <div className="form-grid">
        <Field className="span-2" label="Title" required error={refused.title}>
          <Input titled {...field("title")} />
        </Field>
        <Field label="Author" error={refused.author}>
          <Input {...field("author")} />
        </Field>
        <Field label="Word Count" error={refused.wordCount}>
          <Input className="num" inputMode="numeric" suffix="words" {...field("wordCount")} />
        </Field>
        {all && (
          <Field label="Pages" error={refused.pages}>
            <Input className="num" inputMode="numeric" {...field("pages")} />
          </Field>
        )}
        {all && (
          <Field label="ISBN" error={refused.isbn}>
            <Input className="num" {...field("isbn")} />
          </Field>
        )}
      </div>
      <Field label="Notes" error={refused.notes}>
        <Textarea rows={all ? 2 : 3} placeholder="Who recommended it, which translation" {...field("notes")} />
      </Field>
    </>
  );
}
