import type { Plugin } from "vite";
import { filesOf, prerendered, withAssets } from "./bundle.ts";

/** The file of the icons, which the browser would find with the first icon that is drawn. */
const ICONS = "src/kit/ui/icons.svg";

/**
 * The modules of the pages that readers open first, by the first part of their addresses. `Page::Reader` in
 * src/kit/http/assets.rs names the files in the same way.
 */
const PAGES = {
  dashboard: "/src/statistics/DashboardPage.tsx",
  reading: "/src/reading/ReadingPage.tsx",
  book: "/src/library/book/BookPage.tsx",
};

/**
 * Makes a file for each page that readers open first. It is `index.html` with links to the code of that page, and with
 * the header and the sentence that the interface shows while it waits.
 */
export function linkFirstVisits(): Plugin {
  return {
    name: "link-first-visits",
    apply: "build",
    enforce: "post",
    async generateBundle(_, bundle) {
      const { loading } = await prerendered();
      const shell = bundle["index.html"];
      if (shell?.type !== "asset") throw new Error("the build made no index.html");
      const html = String(shell.source);
      for (const [name, module] of Object.entries(PAGES)) {
        const { chunks, styles } = filesOf(bundle, ["/src/app/Shell.tsx", module]);
        const isNew = (file: string) => !html.includes(file);
        const links = [
          ...chunks.filter(isNew).map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
          // A link to the style sheet itself would delay the first paint.
          ...styles.filter(isNew).map((file) => `<link rel="preload" as="style" crossorigin href="/${file}">`),
        ];
        const icons = Object.values(bundle).find(
          (file) => file.type === "asset" && file.originalFileNames.includes(ICONS),
        );
        if (!icons) throw new Error("the build has no icons");
        // A link of the kind `preload` would be for pictures of `img`, and the console would call it unused.
        links.push(`<link rel="prefetch" href="/${icons.fileName}">`);
        const root = `<div id="root">${withAssets(loading, bundle)}</div>`;
        const source = inOrder(html, links).replace('<div id="root"></div>', () => root);
        this.emitFile({ type: "asset", fileName: `first-${name}.html`, source });
      }
    },
  };
}

const LARGEST = /<link rel="modulepreload"[^>]*\/vendor-[^>]*>/g;
const CODE = /<(?:link rel="modulepreload"|script type="module")[^>]*>(?:<\/script>)?/g;
const FONTS = /<link rel="preload"[^>]*as="font"[^>]*>/g;

/**
 * Puts the links at the end of the head, in the order in which the files are needed: the style sheet and the largest script first.
 * The other files wait for these two: the page is drawn when all its code has arrived, and until then in the system's typeface.
 */
function inOrder(html: string, links: readonly string[]): string {
  const take = (kind: RegExp): string[] => html.match(kind) ?? [];
  const largest = take(LARGEST);
  if (largest.length !== 1) throw new Error("the page has no file of libraries of its own");
  const late = [...take(CODE).filter((tag) => !largest.includes(tag)), ...links, ...take(FONTS)];
  const rest = late.map((tag) => tag.replace(/^<\w+/, '$& fetchpriority="low"'));
  return html
    .replaceAll(CODE, "")
    .replaceAll(FONTS, "")
    .replace("</head>", () => `${[...largest, ...rest].join("")}</head>`);
}
