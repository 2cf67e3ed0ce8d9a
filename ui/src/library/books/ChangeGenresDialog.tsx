import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useSite } from "../../access/site";
import { errorMessage, fieldsOf } from "../../kit/api/client";
import { counted } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { Checkbox } from "../../kit/ui/Choice";
import { Dialog, DialogClose } from "../../kit/ui/Dialog";
import { Field, Input } from "../../kit/ui/Field";
import { toast } from "../../kit/ui/toast";
import { optionsQuery, useChangeBooks } from "./api";
import type { BooksQuery } from "./list";
import { genresOf, wholeNumber, wordsRefusal } from "./model";
import { Suggestions } from "./Suggestions";
import { lastEntry, suggestions, withEntry } from "./suggest";

interface ChangeGenresDialogProps {
  /** The filter of the books. */
  query: BooksQuery;
  /** The number of these books. */
  matching: number;
  onClose: () => void;
}

/**
 * Adds and removes genres of all books of a filter, and gives words to those without. To rename a genre, the old name is removed and
 * the new one added.
 */
export function ChangeGenresDialog({ query, matching, onClose }: ChangeGenresDialogProps) {
  const id = useId();
  const [add, setAdd] = useState("");
  const [remove, setRemove] = useState("");
  const hasCatalogue = useSite().data?.offlineCatalogue ?? false;
  const [fromPages, setFromPages] = useState(false);
  const [fromCatalogue, setFromCatalogue] = useState(false);
  const [words, setWords] = useState("");
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({});
  const change = useChangeBooks(query);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const [addGenres, removeGenres] = [genresOf(add), genresOf(remove)];
    const hasGenres = addGenres.length + removeGenres.length > 0;
    const hasWords = fromPages || fromCatalogue || words.trim() !== "";
    const noWords = wholeNumber(words) < 1 && "Type how many words, at least 1.";
    const wrongWords = words.trim() !== "" && (wordsRefusal(words) || noWords);
    if (wrongWords || !(hasGenres || hasWords)) {
      setRefused(wrongWords ? { words: wrongWords } : { addGenres: "Name a genre to add or to remove." });
      return;
    }
    change.mutate(
      {
        ...(hasGenres && { addGenres, removeGenres }),
        ...(fromPages && { wordsFromPages: true }),
        ...(fromCatalogue && { wordsFromCatalogue: true }),
        ...(words.trim() !== "" && { words: wholeNumber(words) }),
      },
      {
        onSuccess: ({ changed, words: given }) => {
          const filled = given === undefined ? null : counted(given, "book");
          const books = counted(changed, "book");
          // One notice for both, because a second one would replace the first.
          if (hasGenres) {
            const description = filled ? `${books}. Words filled in: ${filled}.` : books;
            toast({ title: "Genres changed", description });
          } else if (filled) toast({ title: "Words filled in", description: filled });
          onClose();
        },
        onError: (error) => {
          setRefused(fieldsOf(error));
          const description = errorMessage(error, "Please try again.");
          toast({ title: "Failed to change the books", description, destructive: true });
        },
      },
    );
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Change ${counted(matching, "book")}`}
      text="Of all books that the filter shows. To rename a genre, remove the old name and add the new one."
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
        <Genres label="Add genres" value={add} error={refused.addGenres} onType={setAdd} />
        <Genres label="Remove genres" value={remove} error={refused.removeGenres} onType={setRemove} />
        <Checkbox checked={fromPages} onChange={(event) => setFromPages(event.target.checked)}>
          Give books without words 275 words a page
        </Checkbox>
        {hasCatalogue && (
          <Checkbox checked={fromCatalogue} onChange={(event) => setFromCatalogue(event.target.checked)}>
            Give books without words and pages both from the catalogue on this server
          </Checkbox>
        )}
        <Field
          label="Words for books without words"
          hint={fromPages ? "For those whose pages are not known." : "Books that have words keep them."}
          error={refused.words}
        >
          <Input inputMode="numeric" suffix="words" value={words} onChange={(event) => setWords(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}

interface GenresProps {
  label: string;
  value: string;
  error: string | undefined;
  onType: (value: string) => void;
}

function Genres({ label, value, error, onType }: GenresProps) {
  const { data: options } = useQuery(optionsQuery);
  const known = options?.genres.map(({ name }) => name) ?? [];
  return (
    <div>
      <Field label={label} hint="Separate with commas." error={error}>
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
