import { useSite } from "../../../access/site";
import { errorMessage } from "../../../kit/api/client";
import { counted } from "../../../kit/format";
import { Alert } from "../../../kit/ui/Alert";
import { Button } from "../../../kit/ui/Button";
import { useChangeBooks } from "../../books/api";
import css from "./Complete.module.css";

/** Gives all books without words those of their pages, which the offline catalogue may know. Absent on a server without one. */
export function CatalogueWords() {
  const hasCatalogue = useSite().data?.offlineCatalogue ?? false;
  const change = useChangeBooks({});
  if (!hasCatalogue) return null;
  return (
    <section className={`panel ${css.words}`} aria-labelledby="words">
      <h2 className="h2" id="words">
        Books without words
      </h2>
      <p>
        They get 275 words a page. Where the pages are missing, the catalog on this server is asked, by the ISBN or else
        by title and author. Nothing leaves the server.
      </p>
      {change.isError && <Alert>{errorMessage(change.error, "Nothing was filled in. Please try again.")}</Alert>}
      {change.data && <Given books={change.data.words ?? 0} />}
      <div>
        <Button
          busy={change.isPending && "Filling in..."}
          onClick={() => change.mutate({ wordsFromPages: true, wordsFromCatalogue: true })}
        >
          Fill in words
        </Button>
      </div>
    </section>
  );
}

function Given({ books }: { books: number }) {
  if (books === 0) return <Alert kind="note">No pages were found for a book without words.</Alert>;
  return (
    <Alert kind="ok">
      <strong>Words filled in</strong>
      {counted(books, "book")} {books === 1 ? "has" : "have"} a word count now.
    </Alert>
  );
}
