import { lazy } from "react";

/** The charts that are drawn by uPlot, in a chunk of their own, which is loaded with the first chart that has data. */
const plots = () => import("./uplot");

export const LineChart = lazy(() => plots().then((module) => ({ default: module.LineChart })));
export const HorizontalBars = lazy(() => plots().then((module) => ({ default: module.HorizontalBars })));
export const VerticalBars = lazy(() => plots().then((module) => ({ default: module.VerticalBars })));
export const Trend = lazy(() => plots().then((module) => ({ default: module.Trend })));
