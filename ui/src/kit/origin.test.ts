import { beforeEach, expect, it } from "vitest";
import { leaveTo, openPage, originPath } from "./origin";

const here = () => window.location.pathname + window.location.search;
/** Going back takes effect in a later task. */
const back = () => new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));

beforeEach(() => window.history.replaceState(null, "", "/dashboard?genres=Classics"));

it("a page that was opened from another leads back to it, with its filter", async () => {
  openPage("/add-book?tab=edit&bookId=7");
  expect(originPath()).toBe("/dashboard");
  const gone = back();
  leaveTo("/dashboard");
  await gone;
  expect(here()).toBe("/dashboard?genres=Classics");
});

it("another tab of the page keeps the origin", async () => {
  openPage("/add-book");
  openPage("/add-book?tab=edit");
  openPage("/add-book?tab=edit&bookId=7");
  const gone = back();
  leaveTo("/dashboard");
  await gone;
  expect(here()).toBe("/dashboard?genres=Classics");
});

it("a page that was opened by its address leads to the usual one", () => {
  window.history.replaceState(null, "", "/add-book");
  openPage("/add-book?tab=edit");
  expect(originPath()).toBeNull();
  leaveTo("/dashboard");
  expect(here()).toBe("/dashboard");
});
