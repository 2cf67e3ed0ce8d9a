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
const SHELL = "/login";

/** The files that Vite copies as they are. */
const PUBLIC_FILES = readdirSync(new URL("public", import.meta.url));

/**
 * Writes `files.json`, the list of files for the service worker: the shell, `public/`, and every asset that all readers
 * need.
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
      const source = JSON.stringify([SHELL, ...[...files, ...assets].map((name) => `/${name}`)]);
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

/** The chunks with the modules of several pages. Each leaves out the modules of those before it. */
const CHUNKS = ["vendor", "base", "fields", "visitor", "frame", "dashboard", "daily", "books", "dialogs"] as const;
type Chunk = (typeof CHUNKS)[number];

/**
 * Splits the code at the routes. Each page is a file of its own, or one with the pages that are opened after it. Many small files
 * compress worse by a quarter than few, and over http a browser fetches only six at once, so modules that several pages share are
 * one file for each set of pages that people open first:
 *
 * - `vendor` is React; `base` is what all pages need, and what the dashboard shares with the pages of visitors;
 * - `visitor` is the landing page and the log-in page, `dashboard` is the dashboard;
 * - `frame` is the frame of the readers' pages, and what the dashboard shares with the daily pages: the page of open books and that
 *   of a book;
 * - `daily` is what only the daily pages share, with their styles; `fields` is what they share with the pages of visitors;
 * - `books` is for the page of a book and the form, `dialogs` for the dialogs of a book and the form.
 *
 * Fewer files also make the entry smaller, which names the files of each page. Libraries that every page needs are included whole,
 * because the module graph does not show the imports within a library. `npm run weight` measures the result.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  let found: ((id: string) => Chunk | null) | undefined;
  const finder = (modules: Modules) => {
    const every = importsOf(modules, "app/main.tsx");
    // The table of routes imports every page and stays in the entry chunk.
    for (const path of ["app/main.tsx", "app/App.tsx", "app/Routes.tsx"]) every.delete(sourceOf(path));
    const visitor = importsOf(modules, "site/LandingPage.tsx", "account/LoginPage.tsx");
    const shell = importsOf(modules, "app/Shell.tsx");
    const dashboard = importsOf(modules, "statistics/DashboardPage.tsx");
    const reading = importsOf(modules, "reading/ReadingPage.tsx");
    const book = importsOf(modules, "library/book/BookPage.tsx");
    // A new reader's next pages, which would load the whole of `daily` for one module.
    const signup = importsOf(modules, "account/SignupPage.tsx");
    const start = importsOf(modules, "library/import/ImportPage.tsx");
    const form = importsOf(modules, "library/add-book/AddBookPage.tsx");
    const dialogs = importsOf(modules, "library/book/dialogs.ts", "library/reading/FinishDialog.tsx");
    const elsewhere = importsOf(modules, "account/elsewhere/ElsewherePage.tsx");
    const libraries = new Set([...every].map(packageOf));
    return (id: string): Chunk | null => {
      const library = packageOf(id);
      if (library) return libraries.has(library) ? (REACT.has(library) ? "vendor" : "base") : null;
      if (id.startsWith("\0rolldown")) return "vendor";
      const isDaily = reading.has(id) || book.has(id);
      const isStyle = id.includes(".module.css");
      if (every.has(id) || (visitor.has(id) && (shell.has(id) || dashboard.has(id)))) return "base";
      if (isDaily && (visitor.has(id) || signup.has(id))) return "fields";
      if (visitor.has(id)) return "visitor";
      if (shell.has(id) || (isDaily && (dashboard.has(id) || start.has(id)))) return "frame";
      if (dashboard.has(id)) return "dashboard";
      if (isDaily && (isStyle || id.startsWith(sourceOf("kit/")))) return "daily";
      if (reading.has(id) && (book.has(id) || form.has(id) || dialogs.has(id))) return "daily";
      if (!id.startsWith(sourceOf("library/")) || !form.has(id)) return null;
      if (book.has(id)) return "books";
      return dialogs.has(id) && !elsewhere.has(id) ? "dialogs" : null;
    };
  };
  return CHUNKS.map((chunk, place) => ({
    name: (id, modules) => {
      found ??= finder(modules);
      return found(id) === chunk ? chunk : null;
    },
    debugName: chunk,
    // Other pages use parts of the kit that the dialogs use, too, and would load the dialogs with them.
    includeDependenciesRecursively: chunk !== "dialogs",
    priority: CHUNKS.length - place,
  }));
}

export default defineConfig({
  plugins: [react(), listFiles(), minifyPublic(), drawLanding(), linkFirstVisits()],
  // The server replaces the placeholder in every answer with that answer's nonce.
  html: { cspNonce: "__CSP_NONCE__" },
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
