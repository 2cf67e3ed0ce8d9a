import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Book } from "../../kit/api/types";
import { counted, shortCounted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { bluesByRank } from "../../kit/spine/rank";
import { BackLink } from "../../kit/ui/BackLink";
import { Rating } from "../../kit/ui/Badge";
import { Button, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { NotFetched } from "../../kit/ui/Fetched";
import { Icon } from "../../kit/ui/Icon";
import { Link } from "../../kit/ui/Link";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { MoreRows, useShownRows } from "../../kit/ui/MoreRows";
import { Page } from "../../kit/ui/Page";
import { Spinner } from "../../kit/ui/Waiting";
import { optionsQuery, tagsQuery } from "../books/api";
import { MOST_BOOKS, tagBooksQuery } from "./api";
import { firstOfEach, shelfIcon } from "./model";
import css from "./Shelves.module.css";
import { Spines } from "./Spines";

const ShelfDialog = lazyDialog(() => import("./TagDialogs").then((all) => all.ShelfDialog));

/** The books with a tag. */
export function TagView({ name }: { name: string }) {
  const tags = useQuery(tagsQuery);
  const books = useQuery(tagBooksQuery(name));
  const [isAsked, setAsked] = useState(false);
  const tag = tags.data?.find((one) => one.name.toLowerCase() === name.toLowerCase());
  const shown = firstOfEach(books.data?.data ?? []);
  const isCut = (books.data?.data.length ?? 0) >= MOST_BOOKS;
  const words = isCut
    ? ""
    : `, ${shortCounted(
        shown.reduce((sum, { wordCount }) => sum + wordCount, 0),
        "word",
      )}`;
  const isError = tags.isError || books.isError;
  return (
    <Page title={name}>
      <BackLink href={paths.tags()}>Tags</BackLink>
      <div className="page-head">
        <div>
          <h1 className="h1">
            <span className={css.tagTitle}>
              <Icon name={shelfIcon(tag?.icon ?? null)} />
              <bdi dir="auto">{tag?.name ?? name}</bdi>
            </span>
          </h1>
          <p className="aside-text">
            {tag && books.data ? `${counted(tag.books, "book")}${words}` : "Your own word for books"}
          </p>
        </div>
        {tag && (
          <div className="page-head-actions">
            <Button onClick={() => setAsked(true)}>{tag.shelf ? "Edit shelf" : "Show as a shelf"}</Button>
          </div>
        )}
      </div>
      {isError && (
        <NotFetched onRetry={() => Promise.all([tags.refetch(), books.refetch()])}>
          The books could not be loaded.
        </NotFetched>
      )}
      {!isError && !(tags.data && books.data) && <Spinner>Fetching the books</Spinner>}
      {books.data && tags.data && shown.length === 0 && (
        <Empty
          title={`No book has the tag ‘${name}’${tag?.shelf ? " any more" : ""}`}
          action={<LinkButton href={paths.tags()}>Go to your tags</LinkButton>}
        >
          {tag?.shelf && "The shelf stays until you remove it."}
        </Empty>
      )}
      {shown.length > 0 && <Books name={name} books={shown} isCut={isCut} />}
      {isAsked && tag && <ShelfDialog tag={tag} onClose={() => setAsked(false)} />}
    </Page>
  );
}

interface BooksProps {
  name: string;
  books: readonly Book[];
  /** Whether the tag has more books than these. */
  isCut: boolean;
}

function Books({ name, books, isCut }: BooksProps) {
  const { data: options } = useQuery(optionsQuery);
  const blueOf = bluesByRank(options?.genres.map((one) => one.name) ?? []);
  const list = useRef<HTMLUListElement>(null);
  const rows = useShownRows();
  return (
    <>
      <div className={`${css.spines} ${css.wide}`}>
        <Spines books={books} blueOf={blueOf} width={1216} height={150} scale={0.4} />
      </div>
      <div className={css.plank} />
      <ul className="section" ref={list}>
        {books.slice(0, rows).map((book, index) => (
          <li key={book.id} className={css.bookRow} data-index={index}>
            <MiniSpine
              wordCount={book.wordCount}
              rating={book.rating}
              blue={blueOf(book.genres[0])}
              outlined={book.status === "in-progress" || book.status === "did-not-finish"}
            />
            <div className={css.rowBody}>
              <Link href={paths.book(book.id)}>
                <bdi dir="auto">{book.title}</bdi>
              </Link>
              <p className="hint" dir="auto">
                {book.author}
              </p>
            </div>
            {book.rating !== null && <Rating value={book.rating} />}
          </li>
        ))}
      </ul>
      <MoreRows list={list} shown={rows} total={books.length} one={isCut ? "newest book" : "book"} />
      <div className={css.acts}>
        <LinkButton size="compact" href={paths.taggedBooks(name)}>
          {isCut ? "All of them in the dashboard" : "Open in the dashboard"}
        </LinkButton>
      </div>
    </>
  );
}
