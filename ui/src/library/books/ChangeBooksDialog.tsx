import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSite } from "../../access/site";
import { InvalidFields } from "../../kit/api/client";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Checkbox, Radio } from "../../kit/ui/Choice";
import { Field, FieldGroup, Input, Select } from "../../kit/ui/Field";
import { FormDialog } from "../../kit/ui/FormDialog";
import { Link } from "../../kit/ui/Link";
import { toast } from "../../kit/ui/toast";
import { FORMAT_WORDS, optionsOf, valuesOf } from "../../kit/words";
import { optionsQuery, seriesQuery, tagsQuery, useChangeBooks } from "./api";
import { languageChoices } from "./languages";
import type { BooksQuery } from "./list";
import { changeOf, doneTitle, EMPTY_FORM, type ManyForm, SUBJECTS } from "./manyChanges";
import { Suggestions } from "./Suggestions";
import { lastEntry, suggestions, withEntry } from "./suggest";

interface ChangeBooksDialogProps {
  /** The filter of the books. */
  query: BooksQuery;
  /** The number of these books. */
  matching: number;
  onClose: () => void;
}

/** Changes all books of a filter: what is changed is chosen first, then what it becomes. */
export function ChangeBooksDialog({ query, matching, onClose }: ChangeBooksDialogProps) {
  const [form, setForm] = useState(EMPTY_FORM);
  const { mutateAsync } = useChangeBooks(query);
  const type = (typed: Partial<ManyForm>) => setForm((former) => ({ ...former, ...typed }));
  const change = async () => {
    const made = changeOf(form);
    if ("refused" in made) throw new InvalidFields(made.refused);
    const { changed, words } = await mutateAsync(made.change);
    const count = words ?? changed;
    const undo = (
      <>
        {counted(count, "book")}. You can undo this in the <Link href={paths.history()}>history</Link>.
      </>
    );
    toast({ title: doneTitle(form), description: count === 0 ? "No book had to be changed." : undo });
  };
  return (
    <FormDialog
      title={`Change ${counted(matching, "book")}`}
      text="All books that the filter shows."
      label={`Change ${counted(matching, "book")}`}
      busy="Changing..."
      action={change}
      failedTitle="Failed to change the books"
      noValidate
      onClose={onClose}
    >
      <Field label="What to change">
        <Select options={SUBJECTS} value={form.subject} onChoose={(subject) => setForm({ ...EMPTY_FORM, subject })} />
      </Field>
      <Values form={form} type={type} />
    </FormDialog>
  );
}

interface ValuesProps {
  form: ManyForm;
  type: (typed: Partial<ManyForm>) => void;
}

/** The fields of what is changed. */
function Values({ form, type }: ValuesProps) {
  switch (form.subject) {
    case "genres":
      return <GenreFields form={form} type={type} />;
    case "tags":
      return <TagFields form={form} type={type} />;
    case "series":
      return <SeriesName form={form} type={type} />;
    case "format":
      return (
        <Field label="Format" name="format">
          <Select
            options={optionsOf(FORMAT_WORDS, valuesOf(FORMAT_WORDS))}
            value={form.format}
            onChoose={(format) => type({ format })}
          />
        </Field>
      );
    case "language":
      return (
        <Field label="Language" name="language">
          <Select
            options={languageChoices(form.language)}
            value={form.language}
            onChoose={(language) => type({ language })}
          />
        </Field>
      );
    case "status":
      return <StatusChoice form={form} type={type} />;
    case "private":
      return <WhoSees form={form} type={type} />;
    case "words":
      return <WordFields form={form} type={type} />;
  }
}

function GenreFields({ form, type }: ValuesProps) {
  const { data: options } = useQuery(optionsQuery);
  const known = options?.genres.map(({ name }) => name) ?? [];
  return (
    <>
      <Names label="Add genres" value={form.add} known={known} name="addGenres" onType={(add) => type({ add })} />
      <Names
        label="Remove genres"
        hint="To rename a genre, remove the old name and add the new one."
        value={form.remove}
        known={known}
        name="removeGenres"
        onType={(remove) => type({ remove })}
      />
    </>
  );
}

function TagFields({ form, type }: ValuesProps) {
  const { data: tags } = useQuery(tagsQuery);
  const known = tags?.map(({ name }) => name) ?? [];
  return (
    <>
      <Names label="Add tags" value={form.add} known={known} name="addTags" onType={(add) => type({ add })} />
      <Names
        label="Remove tags"
        value={form.remove}
        known={known}
        name="removeTags"
        onType={(remove) => type({ remove })}
      />
    </>
  );
}

function SeriesName({ form, type }: ValuesProps) {
  const { data: series } = useQuery(seriesQuery);
  const known = series?.map(({ name }) => name) ?? [];
  return (
    <div>
      <Field
        label="Series"
        hint="The books keep their numbers. Leave it empty to take them out of their series."
        name="series"
      >
        <Input autoComplete="off" value={form.series} onChange={(event) => type({ series: event.target.value })} />
      </Field>
      <Suggestions
        label="From your library"
        names={suggestions(form.series, known)}
        onChoose={(name) => type({ series: name })}
      />
    </div>
  );
}

function StatusChoice({ form, type }: ValuesProps) {
  const choice = (status: ManyForm["status"], label: string) => (
    <Radio name="status" value={status} checked={form.status === status} onChange={() => type({ status })}>
      {label}
    </Radio>
  );
  return (
    <FieldGroup
      label="Books in progress"
      name="status"
      hint={
        form.status === "tbr"
          ? "Finished and private books stay. Noted days, quotes and covers do not go to the list; undoing this brings them back."
          : "Finished books stay. Books you did not finish do not count towards analytics."
      }
    >
      {choice("tbr", "Move them back to your TBR")}
      {choice("did-not-finish", "Mark them as not finished")}
    </FieldGroup>
  );
}

function WhoSees({ form, type }: ValuesProps) {
  const choice = (isPrivate: boolean, label: string) => (
    <Radio
      name="private"
      value={String(isPrivate)}
      checked={form.private === isPrivate}
      onChange={() => type({ private: isPrivate })}
    >
      {label}
    </Radio>
  );
  return (
    <FieldGroup
      label="Who sees these books"
      name="private"
      hint={
        form.private
          ? "Links, pictures and your team leave them out."
          : "Links, pictures and your team show them again, where you share."
      }
    >
      {choice(true, "Only me")}
      {choice(false, "Also those I share with")}
    </FieldGroup>
  );
}

function WordFields({ form, type }: ValuesProps) {
  const hasCatalogue = useSite().data?.offlineCatalogue ?? false;
  return (
    <>
      <Checkbox checked={form.fromPages} onChange={(event) => type({ fromPages: event.target.checked })}>
        Give books without words 275 words a page
      </Checkbox>
      {hasCatalogue && (
        <Checkbox checked={form.fromCatalogue} onChange={(event) => type({ fromCatalogue: event.target.checked })}>
          Give books without words and pages both from the catalog on this server
        </Checkbox>
      )}
      <Field
        label="Words for books without words"
        hint={form.fromPages ? "For those whose pages are not known." : "Books that have words keep them."}
        name="words"
      >
        <Input
          inputMode="numeric"
          suffix="words"
          value={form.words}
          onChange={(event) => type({ words: event.target.value })}
        />
      </Field>
    </>
  );
}

interface NamesProps {
  label: string;
  hint?: string;
  value: string;
  known: readonly string[];
  /** What it is called in the API. */
  name: string;
  onType: (value: string) => void;
}

/** Names that are separated by commas. */
function Names({ label, hint, value, known, name, onType }: NamesProps) {
  return (
    <div>
      <Field label={label} hint={`Separate with commas.${hint ? ` ${hint}` : ""}`} name={name}>
        <Input autoComplete="off" dir="auto" value={value} onChange={(event) => onType(event.target.value)} />
      </Field>
      <Suggestions
        label="From your library"
        names={suggestions(lastEntry(value).entry, known)}
        onChoose={(name) => onType(withEntry(value, name))}
      />
    </div>
  );
}
