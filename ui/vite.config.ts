import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { drawLanding } from "./landing.ts";

/** Any address but the landing page's: the page without content that the server answers there. */
const SHELL = "/dashboard";

/** Lists as `files.json` what the service worker takes along: the shell, `public/`, and every asset that all readers need. */
function listFiles(): Plugin {
  return {
    name: "list-files",
    apply: "build",
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !name.includes("-latin-ext-"));
      const files = readdirSync(new URL("public", import.meta.url)).filter((name) => name !== "sw.js");
      const source = JSON.stringify([SHELL, ...[...files, ...assets].map((name) => `/${name}`)]);
      this.emitFile({ type: "asset", fileName: "files.json", source });
    },
  };
}

type Modules = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const sourceOf = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** Everything that some modules import, but nothing that they fetch later. */
function importsOf(modules: Modules, ...paths: string[]): Set<string> {
  const found = new Set<string>();
  const follow = (id: string) => {
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      if (!found.has(imported)) follow(imported);
      found.add(imported);
    }
  };
  for (const path of paths) follow(sourceOf(path));
  return found;
}

/** The package that a module belongs to; null for the program's own modules. */
const packageOf = (id: string) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? null;

/** The files that hold what several pages need, each with what those before it do not hold. */
const CHUNKS = ["vendor", "base", "visitor", "reader"] as const;
type Chunk = (typeof CHUNKS)[number];

/**
 * Splits the code at the routes. Each page is a file of its own, and many small files compress worse by a quarter than few: so
 * what every page needs, and what the first pages of a visitor and of a reader need, is one file each. Libraries that every page
 * needs come whole: the graph does not say how the modules of a library import each other. `npm run weight` measures the result.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let found: ((id: string) => Chunk | null) | undefined;
  const finder = (modules: Modules) => {
    const every = importsOf(modules, "app/main.tsx");
    // The table of routes leads to every page and stays with the entry.
    for (const path of ["app/App.tsx", "app/Routes.tsx"]) every.delete(sourceOf(path));
    const visitor = importsOf(modules, "site/LandingPage.tsx", "account/LoginPage.tsx");
    const reader = importsOf(modules, "app/Shell.tsx", "statistics/DashboardPage.tsx");
    const libraries = new Set([...every].map(packageOf));
    return (id: string): Chunk | null => {
      const library = packageOf(id);
      if (library) return libraries.has(library) ? "vendor" : null;
      if (every.has(id) || (visitor.has(id) && reader.has(id))) return "base";
      if (visitor.has(id)) return "visitor";
      return reader.has(id) ? "reader" : null;
    };
  };
  return CHUNKS.map((chunk, place) => ({
    name: (id, modules) => {
      found ??= finder(modules);
      return found(id) === chunk ? chunk : null;
    },
    debugName: chunk,
    priority: CHUNKS.length - place,
  }));
}

export default defineConfig({
  plugins: [react(), listFiles(), drawLanding()],
  // The server replaces the placeholder in every answer of index.html by that answer's nonce.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    assetsDir: "assets",
    // Every hashed file stays a file: the policy has no data: for styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:8080" } },
});
