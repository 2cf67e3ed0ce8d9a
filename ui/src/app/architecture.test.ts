import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const SRC = resolve(import.meta.dirname, "..");

/** From low to high; a file may import from its own room and from rooms before it. */
const FLOORS = [
  ["kit"],
  ["access"],
  ["preferences", "library"],
  ["statistics", "billing"],
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

const roomOf = (path: string) => relative(SRC, path).split("/")[0] ?? "";
const floorOf = (room: string) => FLOORS.findIndex((rooms) => rooms.includes(room));

it("imports lead down: app, rooms, access, kit", () => {
  const wrong = sources(SRC).flatMap((file) => {
    const room = roomOf(file);
    const imports = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
    return [...imports]
      .map(([, path = ""]) => roomOf(resolve(dirname(file), path)))
      .filter((to) => to !== room && floorOf(to) >= floorOf(room) && !/\/test-\w+\.tsx?$/.test(file))
      .map((to) => `${relative(SRC, file)} imports from ${to}`);
  });
  expect(wrong).toEqual([]);
});

it("every room has its floor", () => {
  const rooms = readdirSync(SRC).filter((name) => statSync(join(SRC, name)).isDirectory());
  expect(rooms.filter((room) => floorOf(room) < 0)).toEqual([]);
});
