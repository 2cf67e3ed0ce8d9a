import { isolated } from "../direction";
import type { Blue } from "./blue";
import { headRoom, letteringOf, type SpineBook } from "./lettering";
import { measureSerif, UPRIGHT } from "./measure";
import css from "./PartSpine.module.css";
import { Spine } from "./Spine";
import { tenth } from "./size";

/** The thickness in px from which what was read has the lettering, and the share of the whole. */
const LETTERED_FROM = { width: 15, share: 0.45 };

interface PartSpineProps {
  book: SpineBook;
  /** The upper left corner, in px of the drawing. */
  x: number;
  y: number;
  /** Thickness and height in px of the whole book. */
  width: number;
  height: number;
  /** The share that was read, 0 to 1. */
  share: number;
  blue: Blue;
  /** A changed value redraws the lettering after the fonts have loaded. */
  fontsReady: number;
  /** A further class of the outline. */
  outline?: string | undefined;
}

/** A book in dashed outline, filled from the left as far as read. The lettering stands in the wider part, never across the edge. */
export function PartSpine({ book, x, y, width, height, share, blue, fontsReady, outline }: PartSpineProps) {
  const read = width * Math.min(1, share);
  const isInRead = read >= LETTERED_FROM.width && share >= LETTERED_FROM.share;
  return (
    <>
      <rect
        className={outline ? `${css.outline} ${outline}` : css.outline}
        x={tenth(x + 0.5)}
        y={tenth(y + 0.5)}
        width={tenth(Math.max(1, width - 1))}
        height={tenth(height - 0.5)}
        rx="1.5"
      />
      {isInRead && (
        <Spine
          book={{ ...book, reread: false }}
          x={x}
          y={y}
          width={read}
          height={height}
          blue={blue}
          fontsReady={fontsReady}
        />
      )}
      {!isInRead && read > 0.5 && (
        <rect className={`d${blue}`} x={tenth(x)} y={tenth(y)} width={tenth(read)} height={tenth(height)} rx="1" />
      )}
      {!isInRead && <Rest book={book} x={x + read} y={y} width={width - read} height={height} />}
    </>
  );
}

type RestProps = Pick<PartSpineProps, "book" | "x" | "y" | "width" | "height">;

/** The title in what is not read yet. */
function Rest({ book, x, y, width, height }: RestProps) {
  const text = letteringOf(book, width, height, measureSerif);
  return text?.lines.map((line) => {
    const isUpright = UPRIGHT.test(line.text);
    const at = `translate(${tenth(x + line.x)} ${tenth(y + headRoom(book.format))})`;
    return (
      <text
        key={line.x}
        className={css.title}
        fontSize={tenth(text.size)}
        {...(isUpright ? { transform: at, "data-upright": "" } : { transform: `${at} rotate(90)`, dy: ".34em" })}
      >
        {isolated(line.text)}
      </text>
    );
  });
}
