import { readdirSync } from "node:fs";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
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

/** Any of the modules below `src/`, each named by its path without the ending, or by a folder. */
const modules = (...paths: string[]) => new RegExp(`/src/(${paths.join("|")})(\\.|/)`);
const packages = (...names: string[]) => new RegExp(`/node_modules/(${names.join("|")})/`);

const either =
  (...tests: RegExp[]) =>
  (id: string) =>
    tests.some((test) => test.test(id));

/*
 * Many small files compress worse by a quarter than few. So there is one of the libraries that every page needs, one of our
 * own such parts, one of the shelf, which the landing page shows too, and one of what comes with the dashboard, the first
 * page of whoever is signed in. What unfolds there later is not in it. `npm run weight` says what that makes.
 */
const GROUPS = [
  {
    name: "vendor",
    priority: 3,
    test: packages(
      "react",
      "react-dom",
      "scheduler",
      "wouter",
      "regexparam",
      "use-sync-external-store",
      "@tanstack/react-query",
      "@tanstack/query-core",
    ),
  },
  {
    name: "base",
    priority: 2,
    test: either(
      // Vite's own, for whatever is fetched later.
      /vite\/preload-helper/,
      modules(
        "access/(logout|viewer|site|subscription)",
        "app/(Boundary|Loading|PublicShell)",
        "kit/(api/client|fold|format|paths|query|size|theme)",
        "kit/charts/(useWidth|ChartFrame)",
        "kit/styles/\\w+",
        "kit/spine/(MiniSpine|Spine|lettering|measure|blue)",
        "kit/ui/(Alert|Badge|Brand|Button|FormatIcon|Icon|Page|ThemeButton|ToastHost|Topbar|Waiting|toast)",
      ),
    ),
  },
  { name: "shelf", priority: 2, test: modules("statistics/shelf/(ShelfDrawing|Shelf\\.module|colours|layout)") },
  // What pages of the public side show, the landing page first: on a phone's line each file more costs it a round.
  {
    name: "site",
    priority: 1,
    test: modules(
      "site/(Footer|ScrollToTop|(LandingPage|Sample\\w+)\\.module)",
      "billing/api",
      "kit/spine/sample",
      "kit/ui/Leaders",
      "library/books/BookRow",
    ),
  },
  // What pages of facts and settings are made of.
  { name: "facts", priority: 1, test: modules("kit/ui/(Block|DefinitionRows|Items|Tabs)") },
  {
    name: "reader",
    priority: 1,
    test: modules(
      "access/preferences",
      "app/OfflineLine",
      "kit/(useMedia|charts/(Doughnut|LazyCharts|useTip))",
      "kit/ui/(Menu|Popover|SearchField|SegmentedControl|useOnDemand|useRowsInView)",
      "library/books/(BooksListLoading|BooksTable|BooksTableGrid|BooksTableParts|list|sort|useBookRows)",
      "preferences/(DisplayFilter|change|display|useDisplay)",
      "statistics/(DashboardLoading|Kpis|api|shelf)",
      "statistics/charts/(AuthorsFigure|Figures|FormatsFigure|GenresFigure|MonthsFigure|figure)",
      "statistics/filters/(FilterButtons|FilterChips|FilterSection|filter|options|useFilter)",
    ),
  },
];

export default defineConfig({
  plugins: [react(), listFiles(), drawLanding()],
  // The server replaces the placeholder in every answer of index.html by that answer's nonce.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    assetsDir: "assets",
    // Every hashed file stays a file: the policy has no data: for styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } },
  },
  server: { host: "127.0.0.1", proxy: { "/api": "http://127.0.0.1:8080" } },
});
