import { lazyWithin } from "../ui/lazyPart";

/** The charts that are drawn by uPlot, in a chunk of their own, which is loaded with the first chart that has data. */
const plots = () => import("./uplot");

export const LineChart = lazyWithin(() => plots().then((module) => module.LineChart));
export const HorizontalBars = lazyWithin(() => plots().then((module) => module.HorizontalBars));
export const VerticalBars = lazyWithin(() => plots().then((module) => module.VerticalBars));
export const Trend = lazyWithin(() => plots().then((module) => module.Trend));
