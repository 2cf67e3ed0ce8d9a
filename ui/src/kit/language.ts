const NAMES = new Intl.DisplayNames(["en"], { type: "language" });

/** The English name of a language tag: `en` is English. A text that is no tag is its own name. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
