import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { paths } from "../../kit/paths";
import { Link } from "../../kit/ui/Link";
import { Panel } from "../../kit/ui/Panel";
import css from "./Book.module.css";

const similarQuery = (id: number) =>
  queryOptions({
    queryKey: keys.similar(id),
    queryFn: ({ signal }) => api.get("/api/books/{id}/similar", { path: { id }, signal }),
    select: ({ data }) => data,
  });

/** Other books of the library that have much in common with this one, each with what that is. A failure only leaves them out. */
export function Similar({ id }: { id: number }) {
  const { data: similar } = useQuery(similarQuery(id));
  if (!similar) return null;
  return (
    <Panel title="More like this in your library" beside>
      {similar.length === 0 && <p className="aside-text">Too few books with genres, tags or series to say.</p>}
      <ul>
        {similar.map(({ book, because }) => (
          <li key={book.id} className={css.similar}>
            <Link href={paths.book(book.id)} className="serif" dir="auto">
              {book.title}
            </Link>
            <p className="hint">
              <bdi dir="auto">{book.author}</bdi>
              {because.length > 0 && `: ${because.join(", ")}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
