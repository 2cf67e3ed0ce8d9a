import { useRef } from "react";
import { useWatch } from "react-hook-form";
import type { Contributor } from "../../kit/api/types";
import { Button, IconButton } from "../../kit/ui/Button";
import { FieldGroup, Input, Select } from "../../kit/ui/Field";
import { ROLES } from "../books/facts";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

/** The people besides the authors, each with a part. A row without a name is not saved. */
export function ContributorsField({ form }: { form: BookFormState }) {
  const people = useWatch({ control: form.control, name: "contributors" });
  const list = useRef<HTMLDivElement>(null);
  const put = (changed: Contributor[]) =>
    form.setValue("contributors", changed, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const change = (at: number, part: Partial<Contributor>) =>
    put(people.map((person, index) => (index === at ? { ...person, ...part } : person)));
  const add = () => put([...people, { name: "", role: people.at(-1)?.role ?? "translator" }]);
  const remove = (at: number) => {
    put(people.filter((_, index) => index !== at));
    list.current?.querySelector<HTMLElement>("[data-add]")?.focus();
  };
  return (
    <FieldGroup label="Contributors" error={form.formState.errors.contributors?.message}>
      <div className={css.people} ref={list}>
        {people.map(({ name, role }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two names may be equal, and the rows hold no state
          <div key={at} className={css.person}>
            <Input
              name="contributors"
              aria-label={`Name of contributor ${at + 1}`}
              autoComplete="off"
              value={name}
              onChange={(event) => change(at, { name: event.target.value })}
              // A row that was just added is empty: it was added to be typed into.
              autoFocus={name === "" && list.current !== null}
            />
            <Select
              aria-label={`Role of contributor ${at + 1}`}
              options={ROLES}
              value={role}
              onChoose={(chosen) => change(at, { role: chosen })}
            />
            <IconButton icon="x" label={`Remove ${name || `contributor ${at + 1}`}`} onClick={() => remove(at)} />
          </div>
        ))}
        <div>
          <Button variant="quiet" size="compact" icon="plus" data-add="" onClick={add}>
            Add translator, narrator, editor
          </Button>
        </div>
      </div>
    </FieldGroup>
  );
}
