import { describe, expect, it } from "vitest";
import { placed } from "./useRowsInView";

const THOUSAND = { count: 1000, estimate: 50 };

describe("the rows to draw of a long list", () => {
  it("are those in the window and six on either side", () => {
    expect(placed([], { ...THOUSAND, top: 5_000, bottom: 5_500 })).toMatchObject({ first: 94, end: 116 });
  });

  it("leave the list as high as all of them", () => {
    const { first, end, above, below } = placed([], { ...THOUSAND, top: 5_000, bottom: 5_500 });
    expect(above + (end - first) * 50 + below).toBe(50_000);
  });

  it("follow what rows really measure", () => {
    // The first hundred rows are twice as high as estimated.
    const heights = Array.from({ length: 100 }, () => 100);
    expect(placed(heights, { ...THOUSAND, top: 10_000, bottom: 10_100 })).toMatchObject({ first: 94, above: 9_400 });
  });

  it("are the first ones while the list is below the window", () => {
    expect(placed([], { ...THOUSAND, top: -2_000, bottom: -1_000 })).toMatchObject({ first: 0, end: 6, above: 0 });
  });

  it("are the last ones when it has been scrolled past", () => {
    expect(placed([], { ...THOUSAND, top: 90_000, bottom: 91_000 })).toMatchObject({ first: 994, end: 1000, below: 0 });
  });

  it("are all of a dozen, so that they are found in the page and printed", () => {
    const away = { estimate: 50, top: -2_000, bottom: -1_000 };
    expect(placed([], { count: 12, ...away })).toEqual({ first: 0, end: 12, above: 0, below: 0 });
    expect(placed([], { count: 13, ...away })).toMatchObject({ first: 0, end: 6, below: 350 });
  });

  it("are none of an empty list", () => {
    expect(placed([], { count: 0, estimate: 50, top: 0, bottom: 800 })).toEqual({
      first: 0,
      end: 0,
      above: 0,
      below: 0,
    });
  });
});
