import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useSite } from "../../access/site";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { Checkbox, Radio } from "../../kit/ui/Choice";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, FieldGroup, Input, Select } from "../../kit/ui/Field";
import { Link } from "../../kit/ui/Link";
import { toast } from "../../kit/ui/toast";
import { seriesQuery, tagsQuery } from "../shelves/api";
import { optionsQuery, useChangeBooks } from "./api";
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

const FORMATS = (["Print", "eBook", "Audio"] as const).map((value) => ({ value, label: value }));

/** Changes all books of a filter: what is changed is chosen first, then what it becomes. */
export function ChangeBooksDialog({ query, matching, onClose }: ChangeBooksDialogProps) {
  const id = useId();
  const [form, setForm] = useState(EMPTY_FORM);
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const change = useChangeBooks(query);
  const type = (typed: Partial<ManyForm>) => setForm((former) => ({ ...former, ...typed }));
  const choose = (subject: ManyForm["subject"]) => {
    setRefused({});
    setForm({ ...EMPTY_FORM, subject });
  };

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const made = changeOf(form);
    if ("refused" in made) {
      setRefused(made.refused);
      return;
    }
    change.mutate(made.change, {
      onSuccess: ({ changed, words }) => {
        const count = words ?? changed;
        const undo = (
          <>
            {counted(count, "book")}. You can undo this on the page <Link href={paths.changes()}>What has changed</Link>
            .
          </>
        );
        toast({ title: doneTitle(form), description: count === 0 ? "No book had to be changed." : undo });
        onClose();
      },
      onError: (error) => {
        setRefused(fieldsOf(error));
        const description = errorMessage(error, "Please try again.");
        toast({ title: "Failed to change the books", description, destructive: true });
      },
    });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Change ${counted(matching, "book")}`}
      text="All books that the filter shows."
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} variant="primary" busy={change.isPending && "Changing..."}>
            {`Change ${counted(matching, "book")}`}
          </Button>
        </>
      }
    >
      <form className="form" id={id} noValidate onSubmit={submit}>
        <Field label="What to change">
          <Select options={SUBJECTS} value={form.subject} onChoose={choose} />
        </Field>
        <Values form={form} refused={refused} type={type} />
      </form>
    </Dialog>
  );
}

interface ValuesProps {
  form: ManyForm;
  refused: Readonly<Record<string, string>>;
  type: (typed: Partial<ManyForm>) => void;
}

/** The fields of what is changed. */
function Values({ form, refused, type }: ValuesProps) {
  switch (form.subject) {
    case "genres":
      return <GenreFields form={form} refused={refused} type={type} />;
    case "tags":
      return <TagFields form={form} refused={refused} type={type} />;
    case "series":
      return <SeriesName form={form} refused={refused} type={type} />;
    case "format":
      return (
        <Field label="Format" error={refused.format}>
          <Select options={FORMATS} value={form.format} onChoose={(format) => type({ format })} />
        </Field>
      );
    case "language":
      return (
        <Field label="Language" error={refused.language}>
          <Select
            options={languageChoices(form.language)}
            value={form.language}
            onChoose={(language) => type({ language })}
          />
        </Field>
      );
    case "status":
      return <StatusChoice form={form} refused={refused} type={type} />;
    case "words":
      return <WordFields form={form} refused={refused} type={type} />;
  }
}

function GenreFields({ form, refused, type }: ValuesProps) {
  const { data: options } = useQuery(optionsQuery);
  const known = options?.genres.map(({ name }) => name) ?? [];
  return (
    <>
      <Names
        label="Add genres"
        value={form.add}
        known={known}
        error={refused.addGenres}
        onType={(add) => type({ add })}
      />
      <Names
        label="Remove genres"
        hint="To rename a genre, remove the old name and add the new one."
        value={form.remove}
        known={known}
        error={refused.removeGenres}
        onType={(remove) => type({ remove })}
      />
    </>
  );
}

function TagFields({ form, refused, type }: ValuesProps) {
  const { data: tags } = useQuery(tagsQuery);
  const known = tags?.map(({ name }) => name) ?? [];
  return (
    <>
      <Names label="Add tags" value={form.add} known={known} error={refused.addTags} onType={(add) => type({ add })} />
      <Names
        label="Remove tags"
        value={form.remove}
        known={known}
        error={refused.removeTags}
        onType={(remove) => type({ remove })}
      />
    </>
  );
}

function SeriesName({ form, refused, type }: ValuesProps) {
  const { data: series } = useQuery(seriesQuery);
  const known = series?.map(({ name }) => name) ?? [];
  return (
    <div>
      <Field
        label="Series"
        hint="The books keep their numbers. Leave it empty to take them out of their series."
        error={refused.series}
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

function StatusChoice({ form, refused, type }: ValuesProps) {
  const choice = (status: ManyForm["status"], label: string) => (
    <Radio name="status" value={status} checked={form.status === status} onChange={() => type({ status })}>
      {label}
    </Radio>
  );
  return (
    <FieldGroup
      label="Books in progress"
      error={refused.status}
      hint={
        form.status === "tbr"
          ? "Finished books stay. Noted days, quotes and covers do not go to the list; undoing this brings them back."
          : "Finished books stay. Books you did not finish do not count towards analytics."
      }
    >
      {choice("tbr", "Move them back to your TBR")}
      {choice("did-not-finish", "Mark them as not finished")}
    </FieldGroup>
  );
}

function WordFields({ form, refused, type }: ValuesProps) {
  const hasCatalogue = useSite().data?.offlineCatalogue ?? false;
  return (
    <>
      <Checkbox checked={form.fromPages} onChange={(event) => type({ fromPages: event.target.checked })}>
        Give books without words 275 words a page
      </Checkbox>
      {hasCatalogue && (
        <Checkbox checked={form.fromCatalogue} onChange={(event) => type({ fromCatalogue: event.target.checked })}>
          Give books without words and pages both from the catalogue on this server
        </Checkbox>
      )}
      <Field
        label="Words for books without words"
        hint={form.fromPages ? "For those whose pages are not known." : "Books that have words keep them."}
        error={refused.words}
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
  error: string | undefined;
  onType: (value: string) => void;
}

/** Names that are separated by commas. */
function Names({ label, hint, value, known, error, onType }: NamesProps) {
  return (
    <div>
      <Field label={label} hint={`Separate with commas.${hint ? ` ${hint}` : ""}`} error={error}>
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
