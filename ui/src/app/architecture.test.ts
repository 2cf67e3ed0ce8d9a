import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "..");

/** From low to high; a file may import from its own module and from modules before it. */
const LAYERS = [
  ["kit"],
  ["access"],
  ["preferences", "library"],
  ["statistics", "billing"],
  ["sharing", "find"],
  ["reading", "devices"],
  ["account"],
  ["admin", "teams"],
  ["site"],
  ["app"],
];

/** The folders of the library, likewise: `books` has the types, forms, rules and queries of books, and `book` the page of one. */
const LIBRARY = [
  ["books"],
  ["epub", "outbox"],
  ["covers", "tbr"],
  ["lookup", "shelves"],
  ["add-book"],
  ["reading"],
  ["book"],
  ["import"],
];

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sources(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** The files of `src` that a file imports, lazily or not. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...imports].map(([, path = ""]) => resolve(dirname(file), path));
}

const folderIn = (root: string, path: string) => relative(root, path).split("/")[0] ?? "";
const layerOf = (layers: string[][], folder: string) => layers.findIndex((folders) => folders.includes(folder));

it.each([
  ["app, modules, access, kit", SRC, LAYERS],
  ["in the library", join(SRC, "library"), LIBRARY],
])("imports lead down: %s", (_, root, layers) => {
  const wrong = sources(root).flatMap((file) => {
    const folder = folderIn(root, file);
    return importsOf(file)
      .filter((path) => path.startsWith(`${root}/`))
      .map((path) => folderIn(root, path))
      .filter(
        (to) => to !== folder && layerOf(layers, to) >= layerOf(layers, folder) && !/\/test-\w+\.tsx?$/.test(file),
      )
      .map((to) => `${relative(SRC, file)} imports from ${to}`);
  });
  expect(wrong).toEqual([]);
  const folders = readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory());
  expect(folders.filter((folder) => layerOf(layers, folder) < 0)).toEqual([]);
});

it("no file leads back to itself", () => {
  const files = new Set(sources(SRC));
  const fileOf = (path: string) => [path, `${path}.ts`, `${path}.tsx`].find((file) => files.has(file));
  const uses = new Map([...files].map((file) => [file, importsOf(file).flatMap((path) => fileOf(path) ?? [])]));
  const reachedFrom = (file: string) => {
    const reached = new Set<string>();
    const left = [file];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const found = (uses.get(next) ?? []).filter((used) => !reached.has(used));
      for (const used of found) reached.add(used);
      left.push(...found);
    }
    return reached;
  };
  const circles = [...files].filter((file) => reachedFrom(file).has(file)).map((file) => relative(SRC, file));
  expect(circles).toEqual([]);
});

it("code that does not arrive leaves its page", () => {
  const bare = sources(SRC).filter((file) =>
    /import \{[^}]*\blazy\b[^}]*\} from "react"/.test(readFileSync(file, "utf8")),
  );
  expect(bare.map((file) => relative(SRC, file))).toEqual(["kit/ui/lazyPart.tsx"]);
});
