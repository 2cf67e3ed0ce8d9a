import { isRightToLeft } from "../../../kit/direction";
import { type Content, layoutPicture, type Part, SIZES, type Size, type SpineLine } from "./layout";
import { type Face, type Measure, runsOf, shiftOf } from "./lettering";
import type { Palette } from "./palette";

const SERIF = '"Literata Variable", Literata, Georgia, serif';
const SANS = '"Hanken Grotesk Variable", "Hanken Grotesk", system-ui, sans-serif';

/** The weight, the style and the families of each face. */
const FACES: Readonly<Record<Face, readonly [style: string, family: string]>> = {
  title: ["430", SERIF],
  numeral: ["440", SERIF],
  label: ["500", SANS],
  line: ["italic 400", SERIF],
  name: ["560", SERIF],
  spine: ["520", SERIF],
};

const fontOf = (face: Face, size: number) => `${FACES[face][0]} ${size}px ${FACES[face][1]}`;

/** The pen of a canvas on which a page may draw; null where the browser forbids it, or answers with other colours than were drawn. */
export function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  try {
    pen.fillStyle = "#123456";
    pen.fillRect(0, 0, 2, 2);
    const [red, green, blue] = pen.getImageData(1, 1, 1, 1).data;
    return red === 0x12 && green === 0x34 && blue === 0x56 ? pen : null;
  } catch {
    return null;
  }
}

/** Loads the fonts for the texts of a picture. A font that can't be loaded is replaced by the next of its family. */
export async function loadFonts({ title, subtitle, figures, books }: Content): Promise<void> {
  const texts = [
    title,
    subtitle,
    ...figures.flat(),
    ...books.map((book) => book.title),
    "Shelfwise Thickness is words, height is rating. …",
  ];
  const faces = Object.keys(FACES) as Face[];
  await Promise.allSettled(faces.map((face) => document.fonts.load(fontOf(face, 20), texts.join(" "))));
}

/** Draws the picture of a period. */
export function drawPicture(pen: CanvasRenderingContext2D, size: Size, content: Content, palette: Palette): void {
  const { width, height } = SIZES[size];
  pen.canvas.width = width;
  pen.canvas.height = height;
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, width, height);
  for (const part of layoutPicture(size, content, measureWith(pen))) drawPart(pen, part, palette);
}

/** Measures with the fonts of the picture. The width at 100 px is kept, since it grows in proportion. */
function measureWith(pen: CanvasRenderingContext2D): Measure {
  const known = new Map<string, number>();
  return (text, face, size) => {
    const key = `${face} ${text}`;
    let width = known.get(key);
    if (width === undefined) {
      pen.font = fontOf(face, 100);
      width = pen.measureText(text).width * 1.01;
      known.set(key, width);
    }
    return (width / 100) * size;
  };
}

function drawPart(pen: CanvasRenderingContext2D, part: Part, palette: Palette): void {
  pen.fillStyle = palette[part.fill];
  if (part.kind === "block") {
    pen.beginPath();
    pen.roundRect(part.x, part.y, part.width, part.height, part.radius);
    pen.fill();
  } else if (part.kind === "line") {
    pen.font = fontOf(part.face, part.size);
    pen.textAlign = part.align;
    pen.textBaseline = "alphabetic";
    pen.fillText(part.text, part.x, part.y);
  } else drawSpineLine(pen, part);
}

/** Draws a line down a spine: upright characters one below the other, other texts turned by 90°. */
function drawSpineLine(pen: CanvasRenderingContext2D, { text, x, y, size }: SpineLine): void {
  pen.font = fontOf("spine", size);
  pen.textBaseline = "middle";
  let down = y;
  for (const run of runsOf(text)) {
    if (run.upright) {
      pen.textAlign = "center";
      for (const character of run.text) {
        const [right, below] = shiftOf(character);
        pen.fillText(character, x + size * right, down + size * (0.52 + below));
        down += size * 1.04;
      }
    } else {
      pen.save();
      pen.translate(x, down);
      pen.rotate(Math.PI / 2);
      pen.textAlign = "left";
      // Without it, punctuation would stand at the wrong end.
      pen.direction = isRightToLeft(run.text) ? "rtl" : "ltr";
      pen.fillText(run.text, 0, 1);
      pen.restore();
      down += pen.measureText(run.text).width;
    }
  }
}
