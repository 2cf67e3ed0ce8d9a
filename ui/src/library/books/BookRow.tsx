import type { ComponentProps, ReactNode } from "react";
import type { Blue } from "../../kit/spine/blue";
import { MiniSpine } from "../../kit/spine/MiniSpine";
import { Badges } from "../../kit/ui/Badge";
import { Link } from "../../kit/ui/Link";
import css from "./BookRow.module.css";

interface BookRowProps extends Omit<ComponentProps<"li">, "children"> {
  book: { title: string; author: string | null; wordCount: number | null; rating: number | null };
  blue: Blue;
  /** The address behind the title; without it the title is plain text. */
  href?: string;
  /** Whether the spine is outlined: the book is not finished. */
  outlined?: boolean;
  /** The line of facts: words, dates, format. */
  facts?: ReactNode;
  badges?: ReactNode;
  /** At the right: the rating, and the actions below it. */
  children?: ReactNode;
}

/** A book as a row of text, at its position in a list. */
export function BookRow({ book, blue, href, outlined, facts, badges, children, ...place }: BookRowProps) {
  return (
    <li {...place} className={css.row}>
      <MiniSpine wordCount={book.wordCount ?? 0} rating={book.rating} blue={blue} outlined={outlined} height={38} />
      <div>
        <p className={css.title} dir="auto">
          {href ? <Link href={href}>{book.title}</Link> : book.title}
        </p>
        {book.author && (
          <p className={css.author} dir="auto">
            {book.author}
          </p>
        )}
        {facts && <p className={css.facts}>{facts}</p>}
      </div>
      <Badges className={css.badges}>{badges}</Badges>
      <div className={css.end}>{children}</div>
    </li>
  );
}

/** Rows below an ink rule. */
export function BookRows({ children, ...list }: ComponentProps<"ul">) {
  return (
    <ul {...list} className={css.list}>
      {children}
    </ul>
  );
}
