import { lazy } from "react";

/** The drawn charts, in a chunk of their own: it comes with the first chart that has something to show. */
const plots = () => import("./uplot");

export const LineChart = lazy(() => plots().then((module) => ({ default: module.LineChart })));
export const HorizontalBars = lazy(() => plots().then((module) => ({ default: module.HorizontalBars })));
export const VerticalBars = lazy(() => plots().then((module) => ({ default: module.VerticalBars })));
