import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

// Media queries can't use variables, so the widths stand in each file. Components that depend on their own room ask for it with
// a container query.
test("pages change only at the widths of the design", () => {
  const widths = ["600", "720", "860", "900", "1024", "1536"];
  const src = join(import.meta.dirname, "../..");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => /\.(css|tsx?)$/.test(file));
  const found = files.flatMap((file) =>
    [...readFileSync(join(src, file), "utf8").matchAll(/\((min|max)-width: ([\d.]+)(\w+)\)/g)].map(
      ([, side, number, unit]) => ({ file, width: `${Number(number) + (side === "max" ? 1 : 0)}`, unit }),
    ),
  );
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter(({ width, unit }) => unit !== "px" || !widths.includes(width))).toEqual([]);
});
