import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useIsPainted } from "./useIsPainted";

afterEach(() => vi.unstubAllGlobals());

it("what may wait is drawn after the frame that shows the rest", () => {
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal("cancelAnimationFrame", () => undefined);
  const { result } = renderHook(() => useIsPainted());
  expect(result.current).toBe(false);
  act(() => frames.shift()?.(0));
  expect(result.current).toBe(false);
  act(() => frames.shift()?.(16));
  expect(result.current).toBe(true);
});
