import { createServer, type Plugin, type Rolldown } from "vite";

const ROOT = '<div id="root"></div>';
const PAGE = "/src/site/LandingPage.tsx";

/**
 * Makes `landing.html`: the page of `index.html` with the rendered landing page, and with links to its styles and code,
 * so that a visitor can read it before any script has run. The reasons are in
 * docs/decisions/0010-drawn-landing-page.md.
 */
export function drawLanding(): Plugin {
  return {
    name: "draw-landing",
    apply: "build",
    enforce: "post",
    async generateBundle(_, bundle) {
      const shell = bundle["index.html"];
      if (shell?.type !== "asset") throw new Error("the build made no index.html");
      const { title, html } = await drawn();
      if (/<[^>]+ style="/.test(html)) throw new Error("the policy lets no style attribute pass: give it a class");
      const page = String(shell.source)
        .replace(/<title>.*<\/title>/, `<title>${title}</title>`)
        .replace("</head>", `${links(bundle, String(shell.source))}</head>`)
        // The page is read before its code is needed, and both share the connection.
        .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
        .replace(ROOT, () => `<div id="root">${withAssets(html, bundle)}</div>`);
      this.emitFile({ type: "asset", fileName: "landing.html", source: page });
    },
  };
}

/** Renders the page in this process: a Vite server that never listens provides the sources as modules. */
async function drawn() {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
    mode: "production",
    appType: "custom",
    logLevel: "warn",
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { prerender } = (await server.ssrLoadModule(
      "/src/app/prerender.tsx",
    )) as typeof import("./src/app/prerender");
    return await prerender();
  } finally {
    await server.close();
  }
}

/** The page with the built files in the place of their sources, which the rendering process names. */
function withAssets(html: string, bundle: Rolldown.OutputBundle): string {
  let page = html;
  for (const asset of Object.values(bundle)) {
    if (asset.type !== "asset") continue;
    for (const source of asset.originalFileNames) page = page.replaceAll(`"/${source}`, `"/${asset.fileName}`);
  }
  if (page.includes('"/src/')) throw new Error("the landing page names a source that the build has not written");
  return page;
}

/** Links to the files that the landing page needs beyond those of every page. */
function links(bundle: Rolldown.OutputBundle, shell: string): string {
  const files = new Set<string>();
  const styles = new Set<string>();
  const gather = (chunk: Rolldown.OutputChunk) => {
    if (files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") gather(imported);
    }
  };
  for (const chunk of Object.values(bundle))
    if (chunk.type === "chunk" && chunk.facadeModuleId?.endsWith(PAGE)) gather(chunk);
  const link = (rel: string) => (file: string) => `<link rel="${rel}" crossorigin href="/${file}">`;
  const isNew = (file: string) => !shell.includes(file);
  return [
    ...[...styles].filter(isNew).map(link("stylesheet")),
    ...[...files].filter(isNew).map(link("modulepreload")),
  ].join("");
}
