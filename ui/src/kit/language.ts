const NAMES = new Intl.DisplayNames(["en"], { type: "language" });

/** The English name of a language tag: `en` is English. Any other text stands for itself. */
export function languageName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
