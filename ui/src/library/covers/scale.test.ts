import { expect, it } from "vitest";
import { fitted } from "./scale";

it("fits a picture into 1,000 by 1,500 pixels and keeps its proportions", () => {
  expect(fitted(2000, 3000)).toEqual({ width: 1000, height: 1500 });
  expect(fitted(4000, 3000)).toEqual({ width: 1000, height: 750 });
  expect(fitted(1000, 3000)).toEqual({ width: 500, height: 1500 });
  expect(fitted(10, 30_000)).toEqual({ width: 1, height: 1500 });
});

it("leaves a smaller picture as it is", () => {
  expect(fitted(600, 900)).toEqual({ width: 600, height: 900 });
  expect(fitted(1000, 1500)).toEqual({ width: 1000, height: 1500 });
});
