import type { MemberShare } from "../../kit/api/types";
import { short } from "../../kit/format";
import { type Blue, OTHER_BLUE } from "../../kit/spine/blue";
import { bluesByRank } from "../../kit/spine/rank";
import type { ShelfColours } from "../../statistics/shelf/colours";

/** Readers in the order in which the shared shelf lists them: by the age of their accounts, not by what they have read. */
export function inOrder<Reader extends { userId: number }>(readers: readonly Reader[]): Reader[] {
  return [...readers].sort((a, b) => a.userId - b.userId);
}

/**
 * The blue of each reader, the same on the shelf and in every challenge; the first five get one of their own. It
 * depends only on which readers share, so neither a filter nor another book changes it.
 */
export function readerBlues(readers: readonly { userId: number }[]): (userId: number | null | undefined) => Blue {
  const blueOf = bluesByRank(inOrder(readers).map(({ userId }) => String(userId)));
  return (userId) => blueOf(String(userId));
}

/** Blue by reader; the legend says how many words each has read. */
export function byReader(members: readonly MemberShare[]): ShelfColours {
  const readers = inOrder(members);
  const blueOf = readerBlues(members);
  const names = new Map(readers.map(({ userId, displayName }) => [userId, displayName]));
  return {
    name: "the reader",
    blueOf: ({ userId }) => blueOf(userId),
    nameOf: ({ userId }) => names.get(userId ?? 0),
    legendOf: () => {
      const shown = readers.filter(({ books }) => books > 0);
      const own = shown.filter(({ userId }) => blueOf(userId) !== OTHER_BLUE);
      const others = shown.filter(({ userId }) => blueOf(userId) === OTHER_BLUE);
      const [only] = others;
      const rest = others.length > 1 ? `${others.length} others` : only?.displayName;
      return [
        ...own.map((one) => ({ label: named(one.displayName, one.words), blue: blueOf(one.userId) })),
        ...(rest ? [{ label: named(rest, sumOf(others)), blue: OTHER_BLUE }] : []),
      ];
    },
  };
}

const sumOf = (readers: readonly MemberShare[]) => readers.reduce((sum, { words }) => sum + words, 0);

function named(name: string, words: number) {
  return (
    <span>
      {name} <span className="num muted">{short(words)}</span>
    </span>
  );
}
