import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HorizontalBars, LineChart, VerticalBars } from "./uplot";

const MAY = [
  { name: "2026-04", words: 90_000 },
  { name: "2026-05", words: 120_000 },
];
const JUNE = [...MAY, { name: "2026-06", words: 240_000 }];

/** The calls on the canvas: their names, in order, and the written texts. */
let done: string[] = [];
let written: string[] = [];
/** The horizontal places of the dots, and of the texts by what they say. */
let dots: number[] = [];
let places = new Map<string, number>();
const pen = new Proxy(
  {},
  {
    get: (_, name) => (text: unknown, x: number) => {
      done.push(String(name));
      if (name === "fillText") {
        written.push(String(text));
        places.set(String(text), x);
      }
      if (name === "arc") dots.push(Number(text));
      return { width: typeof text === "string" ? 8 * text.length : 10 };
    },
    set: () => true,
  },
);

beforeEach(() => {
  done = [];
  written = [];
  dots = [];
  places = new Map();
  // The test environment has no layout and no canvas.
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen as CanvasRenderingContext2D);
  vi.stubGlobal("Path2D", function Path() {
    return pen;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Shows a chart, and lets it draw. */
async function shown(chart: React.ReactNode) {
  const { container, rerender } = render(chart);
  await act(async () => undefined);
  return {
    canvas: () => container.querySelector("canvas"),
    /** Shows it with other numbers, and lets it draw them. */
    showNext: (next: React.ReactNode) => act(async () => rerender(next)),
  };
}

/** How many drawings were started. */
const drawings = () => done.filter((call) => call === "clearRect").length;

it("a chart draws new numbers, and does not draw again those that it shows", async () => {
  const { showNext } = await shown(<LineChart points={MAY} />);
  expect(written.at(-1)).toBe("120.0K");
  await showNext(<LineChart points={MAY} />);
  expect(drawings()).toBe(1);
  await showNext(<LineChart points={JUNE} />);
  expect(drawings()).toBe(2);
  expect(written.at(-1)).toBe("240.0K");
});

it("bars are as many as the points, each with its name and its words, also when they become more", async () => {
  const { canvas, showNext } = await shown(<HorizontalBars points={MAY} />);
  expect(written).toEqual(["2026-04", "2026-05", "90.0K", "120.0K"]);
  expect(canvas()?.height).toBe(62);
  written = [];
  await showNext(<HorizontalBars points={JUNE} />);
  expect(written).toEqual(["2026-04", "2026-05", "2026-06", "90.0K", "120.0K", "240.0K"]);
  expect(canvas()?.height).toBe(92);
});

it("bars without any words are drawn, too", async () => {
  await shown(<VerticalBars points={[{ name: "Print", words: 0, blue: 1 }]} />);
  expect(written).toEqual(["Print", "0"]);
});

it("the only month of a chart stands below its dot", async () => {
  await shown(<LineChart points={MAY.slice(1)} />);
  expect(dots).toHaveLength(1);
  expect(places.get("2026-05")).toBe(dots[0]);
});

it("a short name beside a bar is written whole, however wide its characters are", async () => {
  await shown(<HorizontalBars points={[{ name: "Genre 20", words: 90_000 }]} />);
  expect(written[0]).toBe("Genre 20");
});
