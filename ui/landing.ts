import type { Plugin, Rolldown } from "vite";
import { filesOf, prerendered, withAssets } from "./bundle.ts";

const ROOT = '<div id="root"></div>';
const PAGE = "/src/site/LandingPage.tsx";

/**
 * Makes `landing.html`: the page of `index.html` with the rendered landing page, and with links to its styles and code,
 * so that a visitor can read it before any script has run.
 */
export function drawLanding(): Plugin {
  return {
    name: "draw-landing",
    apply: "build",
    enforce: "post",
    async generateBundle(_, bundle) {
      const shell = bundle["index.html"];
      if (shell?.type !== "asset") throw new Error("the build made no index.html");
      const { title, landing: html } = await prerendered();
      if (/<[^>]+ style="/.test(html)) throw new Error("the policy lets no style attribute pass: give it a class");
      const page = String(shell.source)
        .replace(/<title>.*<\/title>/, `<title>${title}</title>`)
        .replace("</head>", `${links(bundle, String(shell.source))}</head>`)
        // The page is read before its code is needed, and both share the connection.
        .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
        .replace(ROOT, () => `<div id="root" data-drawn>${withAssets(html, bundle)}</div>`);
      this.emitFile({ type: "asset", fileName: "landing.html", source: page });
    },
  };
}

/** Links to the files that the landing page needs beyond those of every page. */
function links(bundle: Rolldown.OutputBundle, shell: string): string {
  const { chunks, styles } = filesOf(bundle, [PAGE]);
  const link = (rel: string) => (file: string) => `<link rel="${rel}" crossorigin href="/${file}">`;
  const isNew = (file: string) => !shell.includes(file);
  return [...styles.filter(isNew).map(link("stylesheet")), ...chunks.filter(isNew).map(link("modulepreload"))].join("");
}
