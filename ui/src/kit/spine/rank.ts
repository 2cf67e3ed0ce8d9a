import { genreKey } from "../fold";
import { type Blue, OTHER_BLUE } from "./blue";

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
