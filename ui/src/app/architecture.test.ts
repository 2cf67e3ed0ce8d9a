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

const moduleOf = (path: string) => relative(SRC, path).split("/")[0] ?? "";
const layerOf = (module: string) => LAYERS.findIndex((modules) => modules.includes(module));

it("imports lead down: app, modules, access, kit", () => {
  const wrong = sources(SRC).flatMap((file) => {
    const module = moduleOf(file);
    const imports = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
    return [...imports]
      .map(([, path = ""]) => moduleOf(resolve(dirname(file), path)))
      .filter((to) => to !== module && layerOf(to) >= layerOf(module) && !/\/test-\w+\.tsx?$/.test(file))
      .map((to) => `${relative(SRC, file)} imports from ${to}`);
  });
  expect(wrong).toEqual([]);
});

it("every module has its layer", () => {
  const modules = readdirSync(SRC).filter((name) => statSync(join(SRC, name)).isDirectory());
  expect(modules.filter((module) => layerOf(module) < 0)).toEqual([]);
});
