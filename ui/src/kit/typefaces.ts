/** The localStorage key that says that this browser has the typefaces; `public/theme.js` reads it before the first paint. */
const STORED_AS = "shelfwise-typefaces";

/** Milliseconds between the page's load and the fetching of its typefaces. The page's data and covers come first. */
const FETCH_AFTER = 1_000;

/**
 * Fetches the typefaces of a reader's first page, and shows them when all have arrived. Such a page is drawn in the system's typefaces
 * in a browser that does not have its own yet (`first-visits.ts`).
 */
export function fetchTypefacesLate(): void {
  const { dataset } = document.documentElement;
  if (dataset.typefaces !== "late") return;
  const fetch = async () => {
    const faces = ["Hanken Grotesk Variable", "Literata Variable"].map((name) => document.fonts.load(`1em "${name}"`));
    await Promise.all(faces).catch(console.warn);
    delete dataset.typefaces;
    try {
      localStorage.setItem(STORED_AS, "1");
    } catch {
      // Storage is blocked: the next page is drawn in the system's typefaces, too.
    }
  };
  window.addEventListener("load", () => setTimeout(fetch, FETCH_AFTER), { once: true });
}
