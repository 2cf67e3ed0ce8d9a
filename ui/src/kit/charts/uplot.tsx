import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import { isolated } from "../direction";
import { counted, short } from "../format";
import { useFontsReady } from "../spine/measure";
import { useTheme } from "../theme";
import type { Blue } from "../ui/Badge";
import { usePrinting } from "../usePrinting";
import { type ChartTheme, chartThemeOf } from "./chartTheme";
import { barPitch, horizontalBarsHeight, isStacked, lineChartHeight, verticalBarsHeight } from "./height";
import { axisLabel, labelled, marksUpTo } from "./scale";
import css from "./uplot.module.css";
import { useTip } from "./useTip";
import { useWidth } from "./useWidth";

/*
 * The only module that imports uPlot. It is loaded only when a chart is shown, through LazyCharts. uPlot scales and
 * draws the series; this module draws axes and labels by the rules of the design.
 */

/** A number of words with a name. */
export interface Point {
  name: string;
  words: number;
  /** What the tip says in place of the words, for another measure. */
  text?: string;
  /** Further words that belong here only roughly. */
  about?: number;
}

/** The plot in CSS px, with a context scaled to them. */
interface Frame {
  pen: CanvasRenderingContext2D;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** The position of a value on the horizontal and on the vertical axis. */
  across: (value: number) => number;
  down: (value: number) => number;
}

type Draw = (frame: Frame) => void;

/** One series of the chart: bars, a line, or the area below a line. */
interface Series {
  fill?: string;
  stroke: string;
  /** Width of the stroke in px. */
  width: number;
  paths?: uPlot.Series.PathBuilder;
}

/** The parts of one chart for a given width; see {@link Plot}. */
interface Chart {
  height: number;
  /** Top, right, bottom, left. */
  padding: [number, number, number, number];
  /** Whether the points are stacked from top to bottom instead of from left to right. */
  isSideways?: boolean;
  /** The first and last value along the points, and the lowest and highest measured value. */
  x: [number, number];
  y: [number, number];
  series: Series[];
  data: uPlot.AlignedData;
  /** Drawn between the first series and the second. */
  behind?: Draw;
  inFront: Draw;
  /** The point at a position, and where its tooltip points to. */
  find: (frame: Omit<Frame, "pen">, x: number, y: number) => { point: Point; x: number; y: number } | null;
}

const TRANSPARENT = "rgba(0,0,0,0)";

/** The plot in CSS px, converted from uPlot's device px. */
function frameOf(plot: uPlot): Omit<Frame, "pen"> {
  const ratio = uPlot.pxRatio;
  const { left, top, width, height } = plot.bbox;
  const isSideways = plot.scales.x?.ori === 1;
  const [horizontal, vertical] = isSideways ? ["y", "x"] : ["x", "y"];
  return {
    left: left / ratio,
    top: top / ratio,
    right: (left + width) / ratio,
    bottom: (top + height) / ratio,
    across: (value) => plot.valToPos(value, horizontal ?? "x", true) / ratio,
    down: (value) => plot.valToPos(value, vertical ?? "y", true) / ratio,
  };
}

function onCanvas(plot: uPlot, draw: Draw): void {
  const ratio = uPlot.pxRatio;
  plot.ctx.save();
  plot.ctx.scale(ratio, ratio);
  draw({ ...frameOf(plot), pen: plot.ctx });
  plot.ctx.restore();
}

/** A plot that shows charts of one kind one after the other on one canvas. uPlot reads the current chart each time it draws. */
class Shown {
  readonly plot: uPlot;

  constructor(
    public chart: Chart,
    width: number,
    place: HTMLElement,
  ) {
    const { height, series, isSideways } = chart;
    const padding = (side: number) => () => this.chart.padding[side] ?? 0;
    this.plot = new uPlot(
      {
        width,
        height,
        padding: [padding(0), padding(1), padding(2), padding(3)],
        scales: {
          x: { time: false, ...(isSideways && { ori: 1, dir: -1 }), range: () => this.chart.x },
          y: { ...(isSideways && { ori: 0 }), range: () => this.chart.y },
        },
        series: [{}, ...series.map((one, at) => this.series(one, at))],
        axes: [{ show: false }, { show: false }],
        cursor: { show: false },
        legend: { show: false },
        hooks: {
          drawSeries: [(drawn, index) => index === 1 && this.chart.behind && onCanvas(drawn, this.chart.behind)],
          draw: [(drawn) => onCanvas(drawn, this.chart.inFront)],
        },
      },
      chart.data,
      place,
    );
  }

  private series(first: Series, at: number): uPlot.Series {
    const now = () => this.chart.series[at] ?? first;
    return {
      points: { show: false },
      width: first.width,
      stroke: () => now().stroke,
      fill: first.fill && (() => now().fill ?? TRANSPARENT),
      paths: first.paths && ((...range) => now().paths?.(...range) ?? null),
    };
  }

  show(chart: Chart, width: number): void {
    const isResized =
      width !== this.plot.width ||
      chart.height !== this.plot.height ||
      chart.padding.some((room, side) => room !== this.chart.padding[side]);
    this.chart = chart;
    if (isResized) this.plot.setSize({ width, height: chart.height });
    this.plot.setData(chart.data);
  }
}

/** Milliseconds without changes before a chart outside the window is redrawn. */
const REST = 200;

/** Whether an element is in the window; true while that is unknown. It is a ref, so a change does not render anything. */
function useIsSeen(element: RefObject<Element | null>): RefObject<boolean> {
  const isSeen = useRef(true);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((changes) => {
      isSeen.current = changes.at(-1)?.isIntersecting ?? true;
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}

/**
 * Puts a chart on a canvas as wide as its container, and redraws it for a new width, theme, font or number. A visible
 * chart is redrawn at once. Others wait for idle time, because a reader who types a search waits for what is in the
 * window.
 */
function Plot({ build }: { build: (theme: ChartTheme, width: number) => Chart }) {
  const [stage, width] = useWidth<HTMLDivElement>();
  const canvas = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown>(null);
  const isSeen = useIsSeen(stage);
  const { tip, show, hide } = useTip();
  const isPrinting = usePrinting();
  const [ofPage] = useTheme();
  // The light palette is the one for paper.
  const theme = isPrinting ? "light" : ofPage;
  const fontsReady = useFontsReady();

  // biome-ignore lint/correctness/useExhaustiveDependencies: new fonts change what the canvas writes
  useLayoutEffect(() => {
    if (width === 0 || !canvas.current) return;
    const place = canvas.current;
    const draw = () => {
      const chart = build(chartThemeOf(theme), width);
      if (shown.current) shown.current.show(chart, width);
      else shown.current = new Shown(chart, width, place);
    };
    // A canvas that is too wide would widen the page.
    if (isPrinting || isSeen.current || shown.current?.plot.width !== width) return draw();
    const resting = setTimeout(draw, REST);
    return () => clearTimeout(resting);
  }, [build, width, theme, isPrinting, fontsReady]);
  useLayoutEffect(
    () => () => {
      shown.current?.plot.destroy();
      shown.current = null;
    },
    [],
  );

  const pointed = useRef<Point | null>(null);
  const onPointerMove = (event: React.PointerEvent<HTMLDivElement>) => {
    if (!shown.current) return;
    const box = event.currentTarget.getBoundingClientRect();
    const { plot, chart } = shown.current;
    const found = chart.find(frameOf(plot), event.clientX - box.left, event.clientY - box.top);
    if (found?.point === pointed.current) return;
    pointed.current = found?.point ?? null;
    if (found) show(found, tipOf(found.point));
    else hide();
  };
  const onPointerLeave = () => {
    pointed.current = null;
    hide();
  };

  return (
    <div ref={stage} className={css.stage} onPointerMove={onPointerMove} onPointerLeave={onPointerLeave}>
      <div ref={canvas} aria-hidden="true" />
      {tip}
    </div>
  );
}

function tipOf({ name, words, about, text }: Point): string {
  return `${isolated(name)}: ${text ?? counted(words, "word")}${about ? `, and about ${short(about)}` : ""}`;
}

function line(pen: CanvasRenderingContext2D, colour: string, x1: number, y1: number, x2: number, y2: number): void {
  pen.strokeStyle = colour;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

function write(pen: CanvasRenderingContext2D, colour: string, font: string, align: CanvasTextAlign) {
  pen.fillStyle = colour;
  pen.font = font;
  pen.textAlign = align;
  pen.textBaseline = "alphabetic";
}

/**
 * Words per month: a filled line with straight segments, a dashed mean, and dots on the highest and the latest month. Words
 * that belong to a month only roughly raise the axis, never the line, the mean or the highest month.
 */
export function LineChart({ points }: { points: readonly Point[] }) {
  const build = useMemo(() => (theme: ChartTheme, width: number) => lineChart(points, theme, width), [points]);
  return <Plot build={build} />;
}

/** The width in px for the label of a month. The first one stands right of its place, the last one left of it. */
const LABEL_ROOM = 88;

function lineChart(points: readonly Point[], theme: ChartTheme, width: number): Chart {
  const height = lineChartHeight(width);
  const words = points.map((point) => point.words);
  const places = points.map((_, i) => i);
  const last = points.length - 1;
  const tops = points.map(({ words, about = 0 }) => words + about);
  const marks = marksUpTo(Math.max(...tops), height - 50 < 170 ? 3 : 4);
  const mean = words.reduce((sum, value) => sum + value, 0) / points.length;
  const peak = words.indexOf(Math.max(...words));
  const label = `12px ${theme.sans}`;

  const behind: Draw = (frame) => {
    const { pen, left, right, down } = frame;
    band(frame, theme, words, tops);
    pen.lineWidth = 1;
    pen.lineCap = "round";
    pen.setLineDash([1, 4]);
    for (const mark of marks) line(pen, theme.rule, left, down(mark), right, down(mark));
    pen.lineCap = "butt";
    pen.setLineDash([5, 4]);
    line(pen, theme.ink2, left, down(mean), right, down(mean));
    pen.setLineDash([]);
  };

  const inFront: Draw = ({ pen, left, right, bottom, across, down }) => {
    pen.lineWidth = 1;
    line(pen, theme.ink, left - 8, bottom + 0.5, width, bottom + 0.5);
    write(pen, theme.ink3, label, "left");
    for (const mark of [0, ...marks]) pen.fillText(axisLabel(mark), 0, down(mark) + 4);
    const shown = new Set(labelled(points.length, right - left, LABEL_ROOM));
    // Ticks that are closer together would merge into one thick line.
    const isSparse = (right - left) / points.length >= 5;
    points.forEach(({ name }, i) => {
      const x = across(i);
      if (shown.has(i) || isSparse) line(pen, theme.ink, x, bottom, x, bottom + (shown.has(i) ? 6 : 3));
      if (!shown.has(i)) return;
      // The only month stands below its dot.
      const isAtRight = i === last && last > 0;
      pen.textAlign = isAtRight ? "right" : x < left + 24 ? "left" : "center";
      pen.fillText(name, isAtRight ? width : x, height - 5);
    });
    for (const i of new Set([peak, last])) dot(pen, theme, across(i), down(words[i] ?? 0));
    const x = across(peak);
    const isAtEnd = x > width - 60;
    write(pen, theme.ink, `560 13px ${theme.serif}`, isAtEnd ? "right" : x < 40 ? "left" : "center");
    pen.fillText(short(words[peak] ?? 0), isAtEnd ? Math.min(width, x + 6) : x, down(words[peak] ?? 0) - 10);
  };

  return {
    height,
    padding: [24, 8, 26, 44],
    x: last === 0 ? [-1, 1] : [0, last],
    y: [0, marks.at(-1) ?? 1],
    series: [
      { fill: theme.area, stroke: TRANSPARENT, width: 0 },
      { stroke: theme.data[0] ?? theme.ink, width: 2 },
    ],
    data: [places, words, words],
    behind,
    inFront,
    find: ({ left, right, across, down }, x) => {
      const i = Math.round(((x - left) / (right - left)) * last);
      const point = points[last === 0 ? 0 : Math.max(0, Math.min(last, i))];
      const at = point ? points.indexOf(point) : 0;
      return point ? { point, x: across(at), y: down(point.words) } : null;
    },
  };
}

/** The words that belong to a month only roughly, as a pale band with a dashed edge that stands on the line. */
function band(
  { pen, across, down }: Frame,
  theme: ChartTheme,
  words: readonly number[],
  tops: readonly number[],
): void {
  pen.fillStyle = theme.area;
  pen.strokeStyle = theme.data[0] ?? theme.ink;
  pen.lineWidth = 1.25;
  pen.setLineDash([3, 3]);
  for (let i = 1; i < words.length; i++) {
    const [from, to] = [i - 1, i];
    const [low, high] = [from, to].map((at) => [down(words[at] ?? 0), down(tops[at] ?? 0)]);
    if (!low || !high || (tops[from] === words[from] && tops[to] === words[to])) continue;
    pen.beginPath();
    pen.moveTo(across(from), low[1] ?? 0);
    pen.lineTo(across(to), high[1] ?? 0);
    pen.stroke();
    pen.lineTo(across(to), high[0] ?? 0);
    pen.lineTo(across(from), low[0] ?? 0);
    pen.fill();
  }
  pen.setLineDash([]);
}

function dot(pen: CanvasRenderingContext2D, theme: ChartTheme, x: number, y: number): void {
  pen.beginPath();
  pen.arc(x, y, 4, 0, 2 * Math.PI);
  pen.fillStyle = theme.data[0] ?? theme.ink;
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = theme.paper;
  pen.stroke();
}

/** Horizontal bars, longest first. On a narrow page the names are above their bars. */
export function HorizontalBars({ points }: { points: readonly Point[] }) {
  const build = useMemo(() => (theme: ChartTheme, width: number) => horizontalBars(points, theme, width), [points]);
  return <Plot build={build} />;
}

function horizontalBars(points: readonly Point[], theme: ChartTheme, width: number): Chart {
  const stacked = isStacked(width);
  const pitch = barPitch(width);
  const thick = stacked ? 12 : pitch - 12;
  const font = `14px ${theme.sans}`;
  const names = stacked ? 0 : Math.min(178, widest(points, font) + 11);
  // In the stacked layout the bar is in the lower part of its row, 7 px below the middle.
  const lower = stacked ? 7 / pitch : 0;
  const count = points.length;

  const inFront: Draw = ({ pen, left, top: from, bottom, across, down }) => {
    points.forEach(({ name, words }, i) => {
      const middle = down(i);
      const baseline = stacked ? middle - 13 : middle + 4.5;
      write(pen, theme.ink, font, stacked ? "left" : "right");
      const room = stacked ? width - 64 : names - 10;
      pen.fillText(isolated(fitted(pen, name, room)), stacked ? 0 : left - 10, baseline);
      write(pen, theme.ink2, `13px ${theme.sans}`, stacked ? "right" : "left");
      pen.fillText(short(words), stacked ? width : across(words) + 8, baseline);
    });
    pen.lineWidth = 1;
    if (!stacked) line(pen, theme.ink, left - 0.5, from, left - 0.5, bottom);
  };

  return {
    height: horizontalBarsHeight(width, count),
    padding: [0, stacked ? 0 : 62, 2, names],
    isSideways: true,
    x: [-0.5 - lower, count - 0.5 - lower],
    y: [0, Math.max(1, ...points.map(({ words }) => words))],
    series: [
      {
        fill: theme.data[0],
        stroke: TRANSPARENT,
        width: 0,
        paths: uPlot.paths.bars?.({ size: [1, thick, thick], radius: 1.5 / thick }),
      },
    ],
    data: [points.map((_, i) => i), points.map(({ words }) => words)],
    inFront,
    find: ({ across, down }, _x, y) => {
      const i = Math.floor(y / pitch);
      const point = points[i];
      return point ? { point, x: across(point.words / 2), y: down(i) - thick / 2 } : null;
    },
  };
}

/** The width of the widest name in px. */
function widest(points: readonly Point[], font: string): number {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  pen.font = font;
  return Math.max(...points.map(({ name }) => pen.measureText(name).width));
}

/** A name, cut with an ellipsis when it is wider than its room. The table beside the chart has the whole name. */
function fitted(pen: CanvasRenderingContext2D, name: string, room: number): string {
  if (pen.measureText(name).width <= room) return name;
  const characters = Array.from(name);
  while (characters.length > 1 && pen.measureText(`${characters.join("")}…`).width > room) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

/** Vertical bars on a board, each in its own blue, with its number above. */
export function VerticalBars({ points }: { points: readonly (Point & { blue: Blue })[] }) {
  const build = useMemo(() => (theme: ChartTheme, width: number) => verticalBars(points, theme, width), [points]);
  return <Plot build={build} />;
}

function verticalBars(points: readonly (Point & { blue: Blue })[], theme: ChartTheme, width: number): Chart {
  const height = verticalBarsHeight();
  const colours = points.map(({ blue }) => theme.data[blue - 1] ?? theme.ink);
  const broad = Math.min(84, (width / points.length) * 0.62);

  const inFront: Draw = ({ pen, bottom, across, down }) => {
    pen.fillStyle = theme.board;
    pen.fillRect(0, bottom, width, 3);
    points.forEach(({ name, words }, i) => {
      write(pen, theme.ink, `560 13px ${theme.serif}`, "center");
      pen.fillText(short(words), across(i), Math.min(down(words), bottom - 2) - 8);
      write(pen, theme.ink, `14px ${theme.sans}`, "center");
      pen.fillText(name, across(i), height - 8);
    });
  };

  return {
    height,
    padding: [26, 0, 30, 0],
    x: [-0.5, points.length - 0.5],
    y: [0, Math.max(1, ...points.map(({ words }) => words))],
    series: [
      {
        fill: theme.data[0],
        stroke: TRANSPARENT,
        width: 0,
        paths: uPlot.paths.bars?.({
          size: [1, broad, broad],
          radius: 1.5 / broad,
          // Unit 3: the values are colours.
          disp: { fill: { unit: 3, values: () => colours }, stroke: { unit: 3, values: () => colours } },
        }),
      },
    ],
    data: [points.map((_, i) => i), points.map(({ words }) => words)],
    inFront,
    find: ({ across, down }, x) => {
      const i = Math.floor((x / width) * points.length);
      const point = points[i];
      return point ? { point, x: across(i), y: down(point.words) - 18 } : null;
    },
  };
}
