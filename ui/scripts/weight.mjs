/**
 * The compressed size of the scripts and styles that a visitor's browser must fetch before a page is drawn. It fails
 * above the budgets. The sizes come from the manifest of a build, whose folder is the argument; `npm run weight` makes
 * one.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const KIB = 1024;
const DIST = resolve(process.argv[2] ?? "dist");

// The file of the dashboard imports the frame of the readers' pages.
const DASHBOARD = ["dashboard", "src/kit/charts/uplot.tsx"];

/** The pages, by their entry modules or by the chunks that hold these, each with its budget in KiB. */
const PAGES = [
  { page: "landing and login", modules: ["visitor"], budget: 150 },
  { page: "dashboard", modules: DASHBOARD, budget: 230 },
];

/** Pages that readers open from the dashboard, and the KiB that each may add to what the dashboard has loaded. */
const OWN_BUDGET = 50;
const FURTHER_PAGES = {
  reading: "src/reading/ReadingPage.tsx",
  "year in review": "src/reading/years/YearsPage.tsx",
  book: "src/library/book/BookPage.tsx",
  series: "src/library/shelves/SeriesPage.tsx",
  tags: "src/library/shelves/TagsPage.tsx",
  history: "src/library/import/history/HistoryPage.tsx",
  export: "src/account/export/ExportPage.tsx",
};

const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));

/** What the manifest says of a module, or of the chunk of that name. */
const chunkOf = (module) => manifest[module] ?? Object.values(manifest).find(({ name }) => name === module);

/** Adds a module's files, and those of all its imports. */
function gather(module, files) {
  const chunk = chunkOf(module);
  if (!chunk) throw new Error(`${module} is not in the build's manifest`);
  if (files.has(chunk.file)) return files;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) gather(imported, files);
  return files;
}

/** Adds what a module and its imports load later, with the first use of a menu, a filter or the like. */
function gatherLater(module, files, seen = new Set()) {
  if (seen.has(module)) return files;
  seen.add(module);
  for (const later of chunkOf(module).dynamicImports ?? []) gatherLater(later, gather(later, files), seen);
  for (const imported of chunkOf(module).imports ?? []) {
    // The entry leads to every page.
    if (!manifest[imported].isEntry) gatherLater(imported, files, seen);
  }
  return files;
}

const sizes = new Map();
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length);
  return sizes.get(file);
}
const sum = (files) => [...files].reduce((total, file) => total + size(file), 0);
const kib = (bytes) => `${(bytes / KIB).toFixed(1)} KiB`;

/** The files that the modules need before they are drawn. */
function filesOf(modules) {
  const files = new Set(["theme.js"]);
  for (const module of ["index.html", ...modules]) gather(module, files);
  return files;
}

const isVerbose = process.argv.includes("--files");
for (const { page, modules, budget } of PAGES) {
  const files = filesOf(modules);
  const atFirst = sum(files);
  const later = new Set();
  for (const module of modules) gatherLater(module, later);
  const isOver = atFirst > budget * KIB;
  const rest = sum([...later].filter((file) => !files.has(file)));
  console.log(
    `${page}: ${kib(atFirst)} of ${budget}${isOver ? ", too much" : ""}; at first use of its parts ${kib(rest)}`,
  );
  if (isVerbose)
    for (const file of [...files].sort((a, b) => size(b) - size(a))) console.log(`  ${kib(size(file))} ${file}`);
  if (isOver) process.exitCode = 1;
}

const shared = filesOf(DASHBOARD);
for (const [page, module] of Object.entries(FURTHER_PAGES)) {
  const own = sum([...gather(module, new Set())].filter((file) => !shared.has(file)));
  const isOver = own > OWN_BUDGET * KIB;
  console.log(`${page}: ${kib(own)} of its own, of ${OWN_BUDGET}${isOver ? ", too much" : ""}`);
  if (isOver) process.exitCode = 1;
}
