import { useQuery } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import type { Book } from "../../kit/api/types";
import { counted, short } from "../../kit/format";
import type { SpineBook } from "../../kit/spine/lettering";
import { useFontsReady } from "../../kit/spine/measure";
import { bluesByRank } from "../../kit/spine/rank";
import { Spine } from "../../kit/spine/Spine";
import { heightOf } from "../../kit/spine/size";
import { newestQuery, optionsQuery } from "../books/api";
import { authorsOf } from "../books/facts";
import { genresWith } from "../books/genres";
import { type BookForm, genresOf, hasRating, wholeNumber } from "../books/model";
import type { BookFormState } from "../books/useBookForm";
import css from "./AddBook.module.css";

/** Width of the drawing in px, before it is scaled to the column. */
const WIDTH = 420;
const HEIGHT = 210;
const HEAD = 12;
const GAP = 2;
/** Room in px between the new book and its neighbours. */
const APART = 12;
/** px per 1,000 words. */
const SCALE = 0.36;

const tall = (rating: number | null) => HEIGHT * heightOf(rating);

interface Neighbour {
  book: Book;
  x: number;
  width: number;
}

/** The newest books that fit beside a book of `width` px, the newest next to it. */
function besides(newest: readonly Book[], width: number): { neighbours: Neighbour[]; end: number } {
  let room = WIDTH - width - 46;
  const standing: { book: Book; width: number }[] = [];
  for (const book of newest.slice(0, 9)) {
    const thickness = Math.max(6, (book.wordCount / 1000) * SCALE);
    if (thickness > room) break;
    room -= thickness + GAP;
    standing.unshift({ book, width: thickness });
  }
  let x = 0;
  const neighbours = standing.map((one) => {
    const neighbour = { ...one, x };
    x += one.width + GAP;
    return neighbour;
  });
  return { neighbours, end: x };
}

function spineOf(form: BookForm, book?: Book): SpineBook {
  return {
    title: form.title || "Untitled",
    // The spine has room for one name.
    author: authorsOf(form)[0] ?? "",
    wordCount: Math.max(0, wholeNumber(form.wordCount)),
    rating: hasRating(form.mode, book) ? form.rating : null,
    format: form.format,
    reread: form.reread,
  };
}

interface PreviewProps {
  title: string;
  form: BookFormState;
  /** The stored book when it is edited. It is not its own neighbour. */
  book?: Book;
}

/** The spine of the book in the form, beside the newest books. It grows as the form is filled in. */
export function Preview({ title, form, book }: PreviewProps) {
  const values = useWatch({ control: form.control, compute: (all) => all as BookForm });
  const spine = spineOf(values, book);
  return (
    <aside className={css.side}>
      <div className={css.preview}>
        <h2 className="h3">{values.mode === "did-not-finish" ? "Not on the shelf" : title}</h2>
        <p className="aside-text">
          {spine.wordCount > 0 ? counted(spine.wordCount, "word") : "Add a word count to give it thickness"}
        </p>
        <Drawing spine={spine} genres={genresOf(values.genres)} stored={book} />
      </div>
    </aside>
  );
}

interface DrawingProps {
  spine: SpineBook;
  /** The typed genres; the first one colors the spine. */
  genres: readonly string[];
  stored?: Book;
}

function Drawing({ spine, genres, stored }: DrawingProps) {
  const { data: newest } = useQuery(newestQuery);
  const { data: options } = useQuery(optionsQuery);
  const fontsReady = useFontsReady();
  const ranked = genresWith(options?.genres ?? [], { genres, wordCount: spine.wordCount }, stored);
  const blueOf = bluesByRank(ranked);

  const width = Math.min(150, Math.max(4, (spine.wordCount / 1000) * SCALE));
  const others = newest?.filter(({ id }) => id !== stored?.id) ?? [];
  const { neighbours, end } = besides(others, width);
  const x = end + APART;
  const top = (rating: number | null) => HEAD + HEIGHT - tall(rating);
  return (
    <svg className={css.stage} viewBox={`0 0 ${WIDTH} ${HEIGHT + 50}`} aria-hidden="true" focusable="false">
      <g className={css.neighbours}>
        {neighbours.map((one) => (
          <Spine
            key={one.book.id}
            book={one.book}
            x={one.x}
            y={top(one.book.rating)}
            width={one.width}
            height={tall(one.book.rating)}
            blue={blueOf(one.book.genres[0])}
            fontsReady={fontsReady}
          />
        ))}
      </g>
      <Spine
        book={spine}
        x={x}
        y={top(spine.rating)}
        width={width}
        height={tall(spine.rating)}
        blue={blueOf(genres[0])}
        fontsReady={fontsReady}
      />
      <rect className={css.board} y={HEAD + HEIGHT} width={WIDTH} height="4" />
      {spine.wordCount > 0 && <Thickness words={spine.wordCount} x={x} width={width} />}
    </svg>
  );
}

/** The dimension line below a spine: its two ends, and the number of words. */
function Thickness({ words, x, width }: { words: number; x: number; width: number }) {
  const y = HEAD + HEIGHT + 8;
  return (
    <>
      <path className={css.tick} d={`M${x} ${y}v8M${x + width} ${y}v8M${x} ${y + 4}H${x + width}`} />
      <text className={css.figure} x={x + width / 2} y={y + 24} textAnchor="middle">
        {short(words)}
      </text>
    </>
  );
}
