import { expect, it } from "vitest";
import type { Challenge } from "../../kit/api/types";
import { layoutChallenge } from "./drawing";

const WIDTH = 1216;
const measure = (text: string, size: number) => text.length * size * 0.55;

function challenge(values: readonly number[], more: Partial<Challenge> = {}): Challenge {
  const names = ["Imani Okafor", "Nora Lindqvist", "Priya Raman", "Tomasz Zieliński", "Sam Whitlock", "Aiko Tanabe"];
  return {
    id: 1,
    title: "Two million words",
    metric: "words",
    target: 2_000_000,
    startDate: "2025-09-01",
    endDate: "2025-12-24",
    total: values.reduce((sum, value) => sum + value, 0),
    members: values.map((value, i) => ({ userId: i + 1, displayName: names[i] ?? "", value })),
    ...more,
  };
}

const lay = (one: Challenge, width = WIDTH) => layoutChallenge(one, width, measure);

it("words are a spine for each reader, side by side, and dashed from there to the target", () => {
  const { spines, missing, target } = lay(challenge([486_200, 402_358, 251_900, 160_400, 58_300]));
  expect(spines.map(({ blue }) => blue)).toEqual([1, 2, 3, 4, 5]);
  expect(spines.map(({ name }) => name?.text)).toEqual([
    "Imani Okafor",
    "Nora Lindqvist",
    "Priya Raman",
    "Zieliński",
    "Whitlock",
  ]);
  expect(spines.map(({ name }) => name?.along)).toEqual([false, false, false, false, true]);
  const end = (missing?.x ?? 0) + (missing?.width ?? 0);
  expect(Math.abs(end - target.x)).toBeLessThan(2);
  expect(target).toMatchObject({ label: "2M", passed: false, atEdge: false });
});

it("readers stand in the order of the server, most first, each in the blue of the shared shelf", () => {
  const one = challenge([]);
  const members = [
    { userId: 9, displayName: "Nora", value: 500_000 },
    { userId: 4, displayName: "Imani", value: 100_000 },
    // Without a word there is no spine.
    { userId: 7, displayName: "Sam", value: 0 },
  ];
  const { spines } = lay({ ...one, members, total: 600_000 });
  expect(spines.map(({ blue }) => blue)).toEqual([3, 1]);
});

it("each book has a spine, and spines go past a target that is reached", () => {
  const { spines, missing, target } = lay(challenge([17, 14, 9, 7, 6], { metric: "books", target: 50 }));
  expect(spines).toHaveLength(53);
  expect(missing).toBeNull();
  expect(target).toMatchObject({ label: "50", passed: true });
  expect(spines.at(-1)?.x).toBeGreaterThan(target.x);
});

it("books too many to be seen one by one are a spine for each reader", () => {
  const { spines } = lay(challenge([700, 300], { metric: "books", target: 5_000 }), 358);
  expect(spines).toHaveLength(2);
});

it("a challenge without readers is dashed from the beginning", () => {
  const { spines, missing } = lay(challenge([]));
  expect(spines).toEqual([]);
  expect(missing?.x).toBeLessThan(2);
});

it.each([
  [1, "books"],
  [3, "books"],
  [50, "books"],
  [120_000, "books"],
  [1_000, "words"],
  [2_000_000, "words"],
  [1_000_000_000_000, "words"],
] as const)("the ruler under %i %s has numbers with room between them", (target, metric) => {
  for (const width of [288, 358, WIDTH]) {
    const { ticks } = lay(challenge([], { metric, target }), width);
    expect(ticks[0]).toMatchObject({ x: 0, major: true });
    expect(ticks.length).toBeLessThan(150);
    const major = ticks.filter((tick) => tick.major).map(({ x }) => x);
    for (const [i, x] of major.entries()) if (i > 0) expect(x - (major[i - 1] ?? 0)).toBeGreaterThanOrEqual(63);
  }
});
