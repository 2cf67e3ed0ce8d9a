import { useLayoutEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { isolated } from "../direction";
import { counted, short } from "../format";
import { useFontsReady } from "../spine/measure";
import { useTheme } from "../theme";
import type { Blue } from "../ui/Badge";
import { usePrinting } from "../usePrinting";
import { barPitch, horizontalBarsHeight, isStacked, LOW, lineChartHeight, verticalBarsHeight } from "./height";
import { useTip } from "./useTip";
import { useWidth } from "./useWidth";

/** The only module that imports uPlot. It is loaded only when a chart is shown, through LazyCharts. */

/** A number of words with a name. */
export interface Point {
  name: string;
  words: number;
  /** What the tip says in place of the words, for another measure. */
  text?: string;
  /** Further words that belong here only roughly. */
  about?: number;
}

/** What a chart is at a width: options and data for uPlot, and its tips with where they point to, as values on its axes. */
interface Chart {
  height: number;
  options: Omit<uPlot.Options, "width" | "height">;
  data: [xs: number[], ...series: (number | null)[][]];
  tipAt: (index: number) => { along: number; value: number; text: string };
}

type Build = (style: Style, width: number) => Chart;

interface Style {
  /** The value of a custom property that is a colour: `ink` for `--ink`. */
  colour: (name: string) => string;
  sans: string;
  serif: string;
}

/** The colours and fonts of the page. A canvas does not follow CSS, and a page in the dark is printed in light colours. */
function styleAt(element: HTMLElement, isPrinting: boolean): Style {
  const fonts = getComputedStyle(element);
  const colour = (name: string) => {
    element.style.color = `var(--${name})`;
    const { classList } = document.documentElement;
    const isDark = isPrinting && classList.contains("dark");
    if (isDark) classList.replace("dark", "light");
    const { color } = getComputedStyle(element);
    if (isDark) classList.replace("light", "dark");
    return color;
  };
  return { colour, sans: fonts.getPropertyValue("--sans"), serif: fonts.getPropertyValue("--serif") };
}

/** A chart as wide as its container. It is drawn again for a new width, theme, font or number. */
function Plot({ build }: { build: Build }) {
  const [stage, width] = useWidth<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const { tip, show, hide } = useTip();
  const isPrinting = usePrinting();
  const [theme] = useTheme();
  const fontsReady = useFontsReady();

  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and fonts change what is drawn
  useLayoutEffect(() => {
    if (width === 0 || !place.current) return;
    const { height, options, data, tipAt } = build(styleAt(place.current, isPrinting), width);
    let pointed: number | null = null;
    const onCursor = (plot: uPlot) => {
      const { left = -1, idx } = plot.cursor;
      const at = left < 0 ? null : (idx ?? null);
      if (at === pointed) return;
      pointed = at;
      if (at === null) return hide();
      const { along, value, text } = tipAt(at);
      show(positionOf(plot, along, value), text);
    };
    const plot = new uPlot(
      {
        width,
        height,
        legend: { show: false },
        cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
        ...options,
        hooks: { ...options.hooks, setCursor: [onCursor] },
      },
      data,
      place.current,
    );
    return () => plot.destroy();
  }, [build, width, theme, isPrinting, fontsReady, show, hide]);

  return (
    <div ref={stage} style={{ position: "relative", minWidth: 0 }}>
      <div ref={place} aria-hidden="true" />
      {tip}
    </div>
  );
}

function tipOf(point: Point | undefined): string {
  if (!point) return "";
  const { name, words, about, text } = point;
  return `${isolated(name)}: ${text ?? counted(words, "word")}${about ? `, and about ${short(about)}` : ""}`;
}

/** The position in CSS px of a value, whose place along the points is `along`. */
function positionOf(plot: uPlot, along: number, value: number): { x: number; y: number } {
  const at = (number: number, scale: string) => plot.valToPos(number, scale, true) / uPlot.pxRatio;
  const isSideways = plot.scales.x?.ori === 1;
  return isSideways ? { x: at(value, "y"), y: at(along, "x") } : { x: at(along, "x"), y: at(value, "y") };
}

type Write = (text: string, x: number, y: number, font: string, colour: string, align: CanvasTextAlign) => void;

/** A hook that writes on a drawn chart, in CSS px. */
function writing(labels: (write: Write, plot: uPlot) => void): uPlot.Hooks.Arrays {
  const draw = (plot: uPlot) => {
    const { ctx } = plot;
    ctx.save();
    ctx.scale(uPlot.pxRatio, uPlot.pxRatio);
    ctx.textBaseline = "alphabetic";
    labels((text, x, y, font, colour, align) => {
      ctx.font = font;
      ctx.fillStyle = colour;
      ctx.textAlign = align;
      ctx.fillText(text, x, y);
    }, plot);
    ctx.restore();
  };
  return { draw: [draw] };
}

/** A number on an axis: 600K, 2.5M. */
const compact = new Intl.NumberFormat("en-US", { notation: "compact" });

/** The width in px for the name of a month. */
const NAME_ROOM = 88;

/** The indexes of the points that are named, counted back from the last one, which readers look for first. */
function named(count: number, width: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(width / NAME_ROOM))));
  return Array.from({ length: count }, (_, i) => i).filter((i) => (count - 1 - i) % every === 0);
}

/**
 * Words per month: a filled line with straight segments, a dashed mean, and dots on the highest and the latest month. Words
 * that belong to a month only roughly raise the axis, never the line, the mean or the highest month.
 */
export function LineChart({ points }: { points: readonly Point[] }) {
  const build = useMemo<Build>(() => (style, width) => lineChart(points, style, width), [points]);
  return <Plot build={build} />;
}

function lineChart(points: readonly Point[], { colour, sans, serif }: Style, width: number): Chart {
  const last = points.length - 1;
  const words = points.map((point) => point.words);
  const mean = words.reduce((sum, value) => sum + value, 0) / points.length;
  const peak = words.indexOf(Math.max(...words));
  const isRough = (at: number) => Boolean(points[at]?.about);
  // The edge of the rough words begins and ends on the line.
  const rough = points.map(({ words, about = 0 }, i) =>
    isRough(i - 1) || isRough(i) || isRough(i + 1) ? words + about : null,
  );
  const blue = colour("data-1");
  const area = colour("data-area");
  const ink = colour("ink");
  return {
    height: lineChartHeight(width),
    data: [points.map((_, i) => i), points.map(() => mean), rough, words],
    options: {
      padding: [24, 28, 0, 0],
      scales: {
        x: { time: false, range: last === 0 ? [-1, 1] : [0, last] },
        y: { range: (_plot, _min, max) => [0, uPlot.rangeNum(0, max, 0.1, true)[1] ?? 1] },
      },
      series: [
        {},
        { stroke: colour("ink-2"), width: 1, dash: [5, 4], points: { show: false } },
        { stroke: blue, width: 1.25, dash: [3, 3], points: { show: false } },
        {
          stroke: blue,
          width: 2,
          fill: area,
          points: {
            show: true,
            filter: () => [...new Set([peak, last])],
            size: 10,
            fill: blue,
            stroke: colour("paper"),
            width: 2,
          },
        },
      ],
      bands: [{ series: [2, 3], fill: area }],
      axes: axesOf(points, { colour, sans }, width),
      hooks: writing((write, plot) => {
        const { x, y } = positionOf(plot, peak, rough[peak] ?? words[peak] ?? 0);
        // At the beginning, a label in the middle would reach into the axis.
        write(short(words[peak] ?? 0), x, y - 10, `560 13px ${serif}`, ink, peak === 0 && last > 0 ? "left" : "center");
      }),
    },
    tipAt: (i) => ({ along: i, value: words[i] ?? 0, text: tipOf(points[i]) }),
  };
}

/** The axes of lines: the names of the points below, and numbers at the start. */
function axesOf(
  points: readonly { name: string }[],
  { colour, sans }: Pick<Style, "colour" | "sans">,
  width: number,
): [names: uPlot.Axis, numbers: uPlot.Axis] {
  const font = `12px ${sans}`;
  const ink = colour("ink");
  return [
    {
      splits: () => named(points.length, width),
      values: (_plot, splits) => splits.map((i) => points[i]?.name ?? ""),
      font,
      stroke: colour("ink-3"),
      size: 28,
      gap: 4,
      grid: { show: false },
      ticks: { stroke: ink, width: 1, size: 6 },
      border: { show: true, stroke: ink, width: 1 },
    },
    {
      values: (_plot, splits) => splits.map((value) => compact.format(value)),
      font,
      stroke: colour("ink-3"),
      size: 44,
      space: 50,
      grid: {
        stroke: colour("rule-2"),
        width: 1,
        dash: [1, 4],
        cap: "round",
        // The lowest one is the other axis.
        filter: (plot, splits) => splits.map((value) => (value === plot.scales.y?.min ? null : value)),
      },
      ticks: { show: false },
    },
  ];
}

/** A value of a time, null where there is none. */
export interface TrendPoint {
  name: string;
  value: number | null;
  /** The value of another period at the same place. */
  other?: number | null;
  /** What the tip says. */
  text: string;
}

interface TrendProps {
  points: readonly TrendPoint[];
  /** The ends of the axis; from 0 to above the highest value unless given. */
  range?: readonly [number, number];
}

/** Values along time as a line, with a dashed one for another period. */
export function Trend({ points, range }: TrendProps) {
  const build = useMemo<Build>(() => (style, width) => trend({ points, range }, style, width), [points, range]);
  return <Plot build={build} />;
}

function trend({ points, range }: TrendProps, style: Style, width: number): Chart {
  const { colour } = style;
  const last = points.length - 1;
  const values = points.map(({ value }) => value);
  const others = points.map(({ other = null }) => other);
  const isCompared = others.some((other) => other !== null);
  // A value between two gaps has no line: without a dot it would not be seen.
  const dotted = (drawn: readonly (number | null)[]) =>
    drawn.flatMap((value, at) => {
      const isAlone = (drawn[at - 1] ?? null) === null && (drawn[at + 1] ?? null) === null;
      return value !== null && (drawn.length <= MOST_DOTS || isAlone || at === last) ? [at] : [];
    });
  const line = (blue: string, drawn: readonly (number | null)[], dash?: number[]) => ({
    stroke: blue,
    width: 2,
    dash,
    points: { show: true, filter: () => dotted(drawn), size: 6, fill: blue, stroke: blue },
  });
  const [names, numbers] = axesOf(points, style, width);
  return {
    height: LOW,
    data: [points.map((_, i) => i), others, values],
    options: {
      padding: [12, 28, 0, 0],
      scales: {
        x: { time: false, range: last === 0 ? [-1, 1] : [0, last] },
        y: { range: (_plot, _min, max) => (range ? [...range] : [0, uPlot.rangeNum(0, max, 0.1, true)[1] ?? 1]) },
      },
      series: [
        {},
        line(colour("data-2"), others, [6, 4]),
        { ...line(colour("data-1"), values), ...(!isCompared && { fill: colour("data-area") }) },
      ],
      axes: [names, { ...numbers, space: 26 }],
    },
    tipAt: (i) => ({ along: i, value: points[i]?.value ?? points[i]?.other ?? 0, text: points[i]?.text ?? "" }),
  };
}

/** The most points of a line that are dots, too. */
const MOST_DOTS = 24;

/** Horizontal bars, longest first, in the first blue unless they have their own. On a narrow page the names are above their bars. */
export function HorizontalBars({ points }: { points: readonly (Point & { blue?: Blue })[] }) {
  const build = useMemo<Build>(() => (style, width) => horizontalBars(points, style, width), [points]);
  return <Plot build={build} />;
}

/** The width in px for the names beside the bars. */
const NAMES_ROOM = 168;

function horizontalBars(points: readonly (Point & { blue?: Blue })[], { colour, sans }: Style, width: number): Chart {
  const stacked = isStacked(width);
  const pitch = barPitch(width);
  const thick = stacked ? 12 : pitch - 12;
  // In the stacked layout the bar is in the lower part of its row, 7 px below the middle.
  const lower = stacked ? 7 / pitch : 0;
  const font = `14px ${sans}`;
  const ink = colour("ink");
  const ink2 = colour("ink-2");
  const places = points.map((_, i) => i);
  const words = points.map((point) => point.words);
  const blues = points.map(({ blue = 1 }) => colour(`data-${blue}`));
  return {
    height: horizontalBarsHeight(width, points.length),
    data: [places, words],
    options: {
      padding: [0, stacked ? 0 : 62, 2, 0],
      scales: {
        x: { time: false, ori: 1, dir: -1, range: [-0.5 - lower, points.length - 0.5 - lower] },
        y: { ori: 0, range: [0, Math.max(1, ...words)] },
      },
      series: [
        {},
        {
          width: 0,
          points: { show: false },
          paths: uPlot.paths.bars?.({
            size: [1, thick, thick],
            radius: 1.5 / thick,
            // Unit 3: the values are colours.
            disp: { fill: { unit: 3, values: () => blues } },
          }),
        },
      ],
      axes: [
        {
          show: !stacked,
          side: 3,
          splits: () => places,
          values: (plot) => points.map(({ name }) => isolated(fitted(plot, font, name, NAMES_ROOM))),
          font,
          stroke: ink,
          size: (plot, names) => 10 + Math.max(0, ...(names ?? []).map((name) => widthOf(plot, font, name))),
          gap: 10,
          grid: { show: false },
          ticks: { show: false },
          border: { show: true, stroke: ink, width: 1 },
        },
        { show: false, side: 2 },
      ],
      hooks: writing((write, plot) => {
        points.forEach(({ name, words }, i) => {
          const { x, y } = positionOf(plot, i, words);
          const baseline = stacked ? y - 13 : y + 4.5;
          if (stacked) write(isolated(fitted(plot, font, name, width - 64)), 0, baseline, font, ink, "left");
          const [end, align] = stacked ? [width, "right" as const] : [x + 8, "left" as const];
          write(short(words), end, baseline, `13px ${sans}`, ink2, align);
        });
      }),
    },
    tipAt: (i) => ({ along: i - thick / 2 / pitch, value: (words[i] ?? 0) / 2, text: tipOf(points[i]) }),
  };
}

/** The width of a text in CSS px. */
function widthOf({ ctx }: uPlot, font: string, text: string): number {
  ctx.font = font;
  return ctx.measureText(text).width;
}

/** A name, cut with an ellipsis when it is wider than its room. The table beside the chart has the whole name. */
function fitted(plot: uPlot, font: string, name: string, room: number): string {
  if (widthOf(plot, font, name) <= room) return name;
  const characters = Array.from(name);
  while (characters.length > 1 && widthOf(plot, font, `${characters.join("")}…`) > room) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

type ColouredPoint = Point & { blue: Blue };

/** Vertical bars on a board, each in its own blue, with its number above. */
export function VerticalBars({ points }: { points: readonly ColouredPoint[] }) {
  const build = useMemo<Build>(() => (style, width) => verticalBars(points, style, width), [points]);
  return <Plot build={build} />;
}

function verticalBars(points: readonly ColouredPoint[], { colour, sans, serif }: Style, width: number): Chart {
  const blues = points.map(({ blue }) => colour(`data-${blue}`));
  const broad = Math.min(84, (width / points.length) * 0.62);
  const ink = colour("ink");
  const places = points.map((_, i) => i);
  const words = points.map((point) => point.words);
  return {
    height: verticalBarsHeight(),
    data: [places, words],
    options: {
      padding: [26, 0, 0, 0],
      scales: {
        x: { time: false, range: [-0.5, points.length - 0.5] },
        y: { range: [0, Math.max(1, ...words)] },
      },
      series: [
        {},
        {
          width: 0,
          points: { show: false },
          paths: uPlot.paths.bars?.({
            size: [1, broad, broad],
            radius: 1.5 / broad,
            // Unit 3: the values are colours.
            disp: { fill: { unit: 3, values: () => blues } },
          }),
        },
      ],
      axes: [
        {
          splits: () => places,
          values: () => points.map(({ name }) => name),
          font: `14px ${sans}`,
          stroke: ink,
          size: 30,
          gap: 10,
          grid: { show: false },
          ticks: { show: false },
          border: { show: true, stroke: colour("board"), width: 3 },
        },
        { show: false },
      ],
      hooks: writing((write, plot) => {
        words.forEach((value, i) => {
          const { x, y } = positionOf(plot, i, value);
          write(short(value), x, y - 10, `560 13px ${serif}`, ink, "center");
        });
      }),
    },
    tipAt: (i) => ({ along: i, value: words[i] ?? 0, text: tipOf(points[i]) }),
  };
}
