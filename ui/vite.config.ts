import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, minifySync, type Plugin, type Rolldown } from "vite";
// Generates the limits of the API, which the forms import.
import "./api-types/limits.mjs";
import { linkFirstVisits } from "./first-visits.ts";
import { drawLanding } from "./landing.ts";

/** An address that the server answers with the page without content and without links to more files. Also named in public/sw.js. */
const SHELL = "login";

/** The files that Vite copies as they are. */
const PUBLIC_FILES = readdirSync(new URL("public", import.meta.url));

/**
 * Writes `files.json`, the list of files for the service worker, relative to it: the shell, `public/`, and every asset that all
 * readers need.
 */
function listFiles(): Plugin {
  return {
    name: "list-files",
    apply: "build",
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle).filter(
        (name) => name.startsWith("assets/") && !/-(latin-ext|cyrillic|greek)-/.test(name),
      );
      const files = PUBLIC_FILES.filter((name) => name !== "sw.js");
      const source = JSON.stringify([SHELL, ...files, ...assets]);
      this.emitFile({ type: "asset", fileName: "files.json", source });
    },
  };
}

/** The oldest browsers that the program supports. `public/theme.js` tells people with older ones, and the README names them. */
const BROWSERS = ["safari16", "ios16", "chrome109", "edge109", "firefox115"];

/** Minifies the scripts in `public/`, which browsers that are too old must be able to read. */
function minifyPublic(): Plugin {
  return {
    name: "minify-public",
    apply: "build",
    writeBundle({ dir = "dist" }) {
      for (const name of PUBLIC_FILES.filter((file) => file.endsWith(".js"))) {
        const file = join(dir, name);
        writeFileSync(file, minifySync(name, readFileSync(file, "utf8"), { compress: { target: "es2015" } }).code);
      }
    },
  };
}

type Modules = Parameters<Rolldown.CodeSplittingNameFunction>[1];

const sourceOf = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/** The given modules and all that they import, without what they load later. */
function importsOf(modules: Modules, ...paths: string[]): Set<string> {
  const found = new Set<string>();
  const follow = (id: string) => {
    // It imports all parts of the library, of which the build keeps those that are used.
    if (packageOf(id) === "radix-ui") return;
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) {
      if (!found.has(imported)) follow(imported);
      found.add(imported);
    }
  };
  for (const path of paths) {
    found.add(sourceOf(path));
    follow(sourceOf(path));
  }
  return found;
}

/** The packages of React, which are half of the code of a page. */
const REACT = new Set(["react", "react-dom", "scheduler"]);

/** The package of a module; null for the interface's own modules. */
const packageOf = (id: string) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? null;

/** The pages that people open first, and the frame of the readers' pages. */
const PAGES = {
  main: ["app/main.tsx"],
  visitor: ["site/LandingPage.tsx", "account/LoginPage.tsx"],
  frame: ["app/Shell.tsx"],
  dashboard: ["statistics/DashboardPage.tsx"],
  reading: ["reading/ReadingPage.tsx"],
  book: ["library/book/BookPage.tsx"],
  form: ["library/add-book/AddBookPage.tsx"],
};
type Uses = Record<keyof typeof PAGES, boolean>;

/**
 * The chunks with the modules of several pages, by the pages that use a module; the first that fits has it. Every other page is a chunk
 * of its own. Many small files compress worse by a quarter than few, and over http a browser fetches only six at once. `npm run weight`
 * measures the result.
 */
const CHUNKS: readonly [name: string, holds: (uses: Uses) => boolean][] = [
  [
    "base",
    ({ main, visitor, frame, dashboard, reading, book }) =>
      main || (visitor && (frame || dashboard || reading || book)),
  ],
  ["visitor", ({ visitor }) => visitor],
  ["frame", ({ frame, dashboard, reading, book }) => frame || (dashboard && (reading || book))],
  ["dashboard", ({ dashboard }) => dashboard],
  ["daily", ({ reading, book, form }) => reading && (book || form)],
  ["books", ({ book, form }) => book && form],
];

function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let usesOf: ((id: string) => Uses) | undefined;
  const chunkOf = (id: string, modules: Modules): string | null => {
    const library = packageOf(id);
    if (id.startsWith("\0rolldown") || (library && REACT.has(library))) return "vendor";
    usesOf ??= usesIn(modules);
    return CHUNKS.find(([, holds]) => usesOf?.(id) && holds(usesOf(id)))?.[0] ?? null;
  };
  return ["vendor", ...CHUNKS.map(([name]) => name)].map((name, place) => ({
    name: (id, modules) => (chunkOf(id, modules) === name ? name : null),
    debugName: name,
    priority: CHUNKS.length - place,
  }));
}

function usesIn(modules: Modules): (id: string) => Uses {
  const imports = Object.entries(PAGES).map(([page, paths]) => [page, importsOf(modules, ...paths)] as const);
  // The table of routes imports every page and stays in the entry chunk.
  const entry = new Set(["app/main.tsx", "app/App.tsx", "app/Routes.tsx"].map(sourceOf));
  return (id) => Object.fromEntries(imports.map(([page, all]) => [page, all.has(id) && !entry.has(id)])) as Uses;
}

export default defineConfig({
  plugins: [react(), listFiles(), minifyPublic(), drawLanding(), linkFirstVisits()],
  // The server replaces the placeholder in every answer with that answer's nonce.
  html: { cspNonce: "__CSP_NONCE__" },
  // Scripts and styles find their files beside themselves, so that the server can stand below a path. It writes the path into pages.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
  build: {
    target: BROWSERS,
    assetsDir: "assets",
    // Assets are never inlined: the policy allows no data: addresses for styles and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups() },
      },
    },
  },
  // wouter would bring what React has itself.
  resolve: { alias: { "use-sync-external-store/shim/index.js": "react" } },
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:8080", "^/s/": "http://127.0.0.1:8080" } },
});
