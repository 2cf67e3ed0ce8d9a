import { createServer, type Rolldown } from "vite";

/** The files of some chunks of a build, with those of all chunks that they import. */
export interface BundleFiles {
  chunks: readonly string[];
  styles: readonly string[];
}

/** Finds the files that must have arrived before the given modules run. A module's name is its path, as `/src/site/LandingPage.tsx`. */
export function filesOf(bundle: Rolldown.OutputBundle, modules: readonly string[]): BundleFiles {
  const chunks = new Set<string>();
  const styles = new Set<string>();
  const gather = (chunk: Rolldown.OutputChunk) => {
    if (chunks.has(chunk.fileName)) return;
    chunks.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === "chunk") gather(imported);
    }
  };
  for (const module of modules) {
    const holds = (file: Rolldown.OutputBundle[string]) =>
      file.type === "chunk" && file.moduleIds.some((id) => id.endsWith(module));
    const chunk = Object.values(bundle).find(holds);
    if (chunk?.type !== "chunk") throw new Error(`the build has no ${module}`);
    gather(chunk);
  }
  return { chunks: [...chunks], styles: [...styles] };
}

/** A rendered page with the built files in the place of their sources, which the rendering process names. */
export function withAssets(html: string, bundle: Rolldown.OutputBundle): string {
  let page = html;
  for (const asset of Object.values(bundle)) {
    if (asset.type !== "asset") continue;
    for (const source of asset.originalFileNames) page = page.replaceAll(`"/${source}`, `"/${asset.fileName}`);
  }
  if (page.includes('"/src/')) throw new Error("a rendered page names a source that the build has not written");
  return page;
}

type Prerendered = import("./src/app/prerender").Prerendered;
let rendering: Promise<Prerendered> | undefined;

/** The parts that the build renders. They are rendered once, in this process: a Vite server that never listens provides the sources as modules. */
export function prerendered(): Promise<Prerendered> {
  rendering ??= render();
  return rendering;
}

async function render(): Promise<Prerendered> {
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
