import { useMemo } from "react";
import { useWidth } from "../kit/charts/useWidth";
import { short } from "../kit/format";
import { useFontsReady } from "../kit/spine/measure";
import { SAMPLE_YEAR, sampleBlue } from "../kit/spine/sample";
import { layoutShelf } from "../statistics/shelf/layout";
import { ShelfDrawing } from "../statistics/shelf/ShelfDrawing";
import css from "./SampleShelf.module.css";

const COLOURS = { blueOf: (book: { genres: readonly string[] }) => sampleBlue(book.genres[0]) };
const WORDS = SAMPLE_YEAR.reduce((sum, book) => sum + book.wordCount, 0);
/** The width in px from which all books are on one board; narrower shelves wrap as on the dashboard. */
const ONE_BOARD_FROM = 700;

/** One reader's year on one board. */
export function SampleShelf() {
  const [stage, width] = useWidth<HTMLDivElement>();
  const fontsReady = useFontsReady();
  const layout = useMemo(() => {
    const one = width > ONE_BOARD_FROM ? { shelves: 1, tallest: 236 } : {};
    return layoutShelf(SAMPLE_YEAR, width, { slot: false, notes: false, margin: 0, ...one });
  }, [width]);
  return (
    <div className={css.frame}>
      <div className={css.stage} ref={stage}>
        {width > 0 && (
          <ShelfDrawing
            layout={layout}
            skip={0}
            colours={COLOURS}
            focused={null}
            hasNotes={false}
            fontsReady={fontsReady}
          />
        )}
      </div>
      <p className={`aside-text ${css.caption}`}>
        One reader’s 2025: {SAMPLE_YEAR.length} books, {short(WORDS).replace("M", " million")} words. Thickness is
        words, height is rating, blue is genre.
      </p>
    </div>
  );
}
