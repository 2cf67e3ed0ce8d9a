import type { Format } from "../api/types";
import { genreKey } from "../fold";
import type { Blue } from "../ui/Badge";

/**
 * The six blues of the design, assigned by rank. Blue is data: a genre has the same blue on the shelf, in the charts,
 * in the filters and in the table, whatever the filter shows.
 */
export type { Blue };

/** The blue of every rank from the sixth on. */
export const OTHER_BLUE: Blue = 6;

/**
 * The first five names each get their own blue, however they are written. All others, and a missing name, get the sixth.
 * A shelf asks for the blue of five hundred books at each drawing, so each spelling is compared once.
 */
export function bluesByRank(ranked: readonly string[]): (name: string | undefined) => Blue {
  const own = new Map(ranked.slice(0, 5).map((name, i) => [genreKey(name), (i + 1) as Blue]));
  const known = new Map<string, Blue>();
  return (name) => {
    if (name === undefined) return OTHER_BLUE;
    const blue = known.get(name) ?? own.get(genreKey(name)) ?? OTHER_BLUE;
    known.set(name, blue);
    return blue;
  };
}

const BY_FORMAT: Record<Format, Blue> = { Print: 1, eBook: 2, Audio: 3 };

/** The blue of a format. It is fixed, so it does not depend on which format leads. */
export function formatBlue(format: Format): Blue {
  return BY_FORMAT[format];
}
