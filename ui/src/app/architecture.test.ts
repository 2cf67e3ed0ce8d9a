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
  ["sharing"],
  ["reading"],
  ["account"],
  ["admin", "teams"],
  ["site"],
  ["app"],
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

const moduleOf = (path: string) => relative(SRC, path).split("/")[0] ?? "";
const layerOf = (module: string) => LAYERS.findIndex((modules) => modules.includes(module));

it("imports lead down: app, modules, access, kit", () => {
  const wrong = sources(SRC).flatMap((file) => {
    const module = moduleOf(file);
    return importsOf(file)
      .map(moduleOf)
      .filter((to) => to !== module && layerOf(to) >= layerOf(module) && !/\/test-\w+\.tsx?$/.test(file))
      .map((to) => `${relative(SRC, file)} imports from ${to}`);
  });
  expect(wrong).toEqual([]);
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

it("every module has its layer", () => {
  const modules = readdirSync(SRC).filter((name) => statSync(join(SRC, name)).isDirectory());
  expect(modules.filter((module) => layerOf(module) < 0)).toEqual([]);
});
