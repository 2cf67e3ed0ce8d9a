import type { Format } from "../api/types";
import type { Blue } from "../ui/Badge";

/**
 * The six blues of the design, assigned by rank. Blue is data: a genre has the same blue on the shelf, in the charts,
 * in the filters and in the table, whatever the filter shows.
 */
export type { Blue };

/** The blue of every rank from the sixth on. */
export const OTHER_BLUE: Blue = 6;

const BY_FORMAT: Record<Format, Blue> = { Print: 1, eBook: 2, Audio: 3 };

/** The blue of a format. It is fixed, so it does not depend on which format leads. */
export function formatBlue(format: Format): Blue {
  return BY_FORMAT[format];
}
