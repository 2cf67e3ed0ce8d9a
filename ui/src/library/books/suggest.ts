import { titleKey } from "../../kit/fold";

/** The names suggested at a time. */
const MOST = 4;

/**
 * The known names that begin with what is typed, or have a word that does, in their given order. A name that is typed
 * completely is not suggested, unless it is known in another spelling.
 */
export function suggestions(typed: string, known: readonly string[]): string[] {
  const text = typed.trim();
  const sought = titleKey(text);
  if (sought === "") return [];
  const names = known.map((name) => ({ name, key: titleKey(name) }));
  const same = names.filter(({ key }) => key === sought);
  if (same.length > 0) return same.some(({ name }) => name === text) ? [] : same.map(({ name }) => name).slice(0, 1);
  const isFound = ({ key }: { key: string }) => key.startsWith(sought) || key.includes(` ${sought}`);
  return names
    .filter(isFound)
    .map(({ name }) => name)
    .slice(0, MOST);
}

/** A list that is separated by commas, in two parts: the finished entries, and the one that is being typed. */
export function lastEntry(typed: string): { before: string; entry: string } {
  const cut = typed.lastIndexOf(",") + 1;
  return { before: typed.slice(0, cut), entry: typed.slice(cut).trim() };
}

/** The list with its last entry replaced, ready for the next one. */
export function withEntry(typed: string, entry: string): string {
  const { before } = lastEntry(typed);
  return `${before}${before ? " " : ""}${entry}, `;
}
