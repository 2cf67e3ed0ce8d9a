import { useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { Field } from "../../kit/ui/Field";
import { NamesInput } from "../../kit/ui/NamesInput";
import { tagsQuery } from "../books/api";
import { tagsOf } from "../books/facts";
import { Suggestions } from "../books/Suggestions";
import { suggestions } from "../books/suggest";
import type { BookFormState } from "../books/useBookForm";

interface TagsFieldProps {
  form: BookFormState;
  /** Whether the field is shown, and the tags of the library are wanted. */
  isShown: boolean;
}

/** The reader's own words for a book. */
export function TagsField({ form, isShown }: TagsFieldProps) {
  const [tags, nextTag] = useWatch({ control: form.control, name: ["tags", "nextTag"] });
  const { data: known } = useQuery({ ...tagsQuery, enabled: isShown });
  const put = (names: string[], text: string) => {
    form.setValue("tags", names, { shouldDirty: true });
    form.setValue("nextTag", text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  const add = (typed: string) => put(tagsOf({ tags, nextTag: typed }), "");
  const unused = known?.map(({ name }) => name).filter((name) => !tags.includes(name)) ?? [];
  return (
    <div>
      <Field
        label="Tags"
        hint="Tags are your own words for books. Try “owned”."
        error={form.formState.errors.nextTag?.message}
      >
        <NamesInput
          byComma
          names={tags}
          onNames={(names) => put(names, nextTag)}
          onAdd={add}
          placeholder="owned, lent"
          {...form.register("nextTag")}
        />
      </Field>
      <Suggestions
        label="From your library"
        names={suggestions(nextTag, unused)}
        onChoose={(name) => {
          add(name);
          form.setFocus("nextTag");
        }}
      />
    </div>
  );
}
