import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../..");

/** What the expression finds in the files whose names end so, each with its file. */
function found(expression: RegExp, ending: RegExp) {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => ending.test(file));
  return files.flatMap((file) =>
    [...readFileSync(join(SRC, file), "utf8").matchAll(expression)].map((match) => ({ file, match })),
  );
}

// Components that depend on their own room ask for it with a container query.
test("pages change only at the five widths of the design", () => {
  const widths = ["600px", "720px", "860px", "1024px", "1536px"];
  const used = found(/\((min|max)-width: ([\d.]+)(\w+)\)/g, /\.(css|tsx?)$/).map(({ file, match }) => ({
    file,
    width: `${Number(match[2]) + (match[1] === "max" ? 1 : 0)}${match[3]}`,
  }));
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter(({ width }) => !widths.includes(width))).toEqual([]);
});

test("styles name the start and the end of a line, which change sides with the language, and neither left nor right", () => {
  const sides = found(/^\s*([\w-]*\b(left|right)\b[\w-]*:|(text-align|float|clear): (left|right)).*/gm, /\.css$/);
  const shorthands = found(/^\s*(margin|padding|inset): .+;/gm, /\.css$/).filter(({ match }) => {
    const [, right, , left] = match[0].replace(/^.*?: |;$/g, "").match(/[\w-]*\((?:[^()]|\([^()]*\))*\)|[^\s]+/g) ?? [];
    return left !== undefined && left !== right;
  });
  expect([...sides, ...shorthands].map(({ file, match }) => `${file}: ${match[0].trim()}`)).toEqual([]);
});

test("no control shows by :has, which Firefox 115 lacks, that it is chosen or has the focus", () => {
  const states = found(/^.*:has\((?:[^()]|\([^()]*\))*:(checked|focus).*/gm, /\.css$/);
  expect(states.map(({ file, match }) => `${file}: ${match[0].trim()}`)).toEqual([]);
});
