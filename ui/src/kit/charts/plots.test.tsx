import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { HorizontalBars, LineChart, VerticalBars } from "./plots";

const MAY = [
  { name: "2026-04", words: 90_000 },
  { name: "2026-05", words: 120_000 },
];
const JUNE = [...MAY, { name: "2026-06", words: 40_000 }];

/** What was done on the canvas: the name of each call, in order, and what was written. */
let done: string[] = [];
let written: string[] = [];
const pen = new Proxy(
  {},
  {
    get: (_, name) =>
      name === "measureText"
        ? () => ({ width: 10 })
        : (text: unknown) => {
            done.push(String(name));
            if (name === "fillText") written.push(String(text));
          },
    set: () => true,
  },
);

beforeEach(() => {
  done = [];
  written = [];
  // There is no layout here, and no canvas.
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(600);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen as CanvasRenderingContext2D);
});
afterEach(() => vi.restoreAllMocks());

/** How often a drawing was begun. */
const drawings = () => done.filter((call) => call === "clearRect").length;

it("a chart keeps its canvas over new numbers, and draws them once", () => {
  const { container, rerender } = render(<LineChart points={MAY} />);
  const canvas = container.querySelector("canvas");
  expect(drawings()).toBe(1);
  rerender(<LineChart points={JUNE} />);
  expect(container.querySelector("canvas")).toBe(canvas);
  expect(drawings()).toBe(2);
  expect(written.at(-1)).toBe("120.0K");
});

it("a chart is not drawn again for the numbers that it shows", () => {
  const { rerender } = render(<LineChart points={MAY} />);
  rerender(<LineChart points={MAY} />);
  expect(drawings()).toBe(1);
});

it("bars are as many as the points, each with its name and its words", () => {
  render(<HorizontalBars points={JUNE} />);
  expect(done.filter((call) => call === "roundRect")).toHaveLength(3);
  expect(written).toEqual(["2026-04", "90.0K", "2026-05", "120.0K", "2026-06", "40.0K"]);
});

it("bars lie beneath one another and are as high together as there are points", () => {
  const { container, rerender } = render(<HorizontalBars points={MAY} />);
  const height = () => container.querySelector("canvas")?.style.height;
  expect(height()).toBe("62px");
  rerender(<HorizontalBars points={JUNE} />);
  expect(height()).toBe("92px");
});

it("bars without any words are drawn, too", () => {
  render(<VerticalBars points={[{ name: "Print", words: 0, blue: 1 }]} />);
  expect(written).toEqual(["0", "Print"]);
});
