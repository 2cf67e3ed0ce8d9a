import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TOKENS = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

/** The declarations of a selector's block, without comments and indentation. */
function declarations(selector: string): string[] {
  const start = TOKENS.indexOf(`${selector} {`);
  const body = TOKENS.slice(TOKENS.indexOf("{", start) + 1, TOKENS.indexOf("}", start));
  const lines = body.replaceAll(/\/\*.*?\*\//gs, "").split(";");
  return lines.map((line) => line.replaceAll(/\s+/g, " ").trim()).filter(Boolean);
}

// CSS can't share declarations between a class and a media query, and a page without script has only the latter.
test("the dark palette without script is that of the class", () => {
  const byClass = declarations(":root.dark");
  expect(byClass.length).toBeGreaterThan(40);
  expect(declarations(":root:not(.light):not(.dark)")).toEqual(byClass);
});
