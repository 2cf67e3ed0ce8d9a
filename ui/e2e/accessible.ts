import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails when axe finds a violation of WCAG 2.2 AA on the page. */
export async function expectAccessible(page: Page): Promise<void> {
  // An element that fades in has an intermediate contrast, also one that appears while axe is running.
  await page.emulateMedia({ reducedMotion: "reduce" });
  // The page's policy does not apply to the debugger's own evaluation, which can therefore load axe.
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations: found } = await axe.run({ runOnly: tags });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  await page.emulateMedia({ reducedMotion: null });
  expect(violations).toEqual([]);
}

/** Fails when a part of the page is outside its landmarks, where people who go from landmark to landmark don't find it. */
export async function expectInLandmarks(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const outside = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run({ runOnly: { type: "rule", values: ["region"] } });
    return violations.flatMap(({ nodes }) => nodes.map(({ html }) => html.slice(0, 120)));
  });
  expect(outside).toEqual([]);
}

/** The same in the light and in the dark theme. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    // Without motion the colours change at once, instead of in a transition that lasts into the check.
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toContainClass(colorScheme);
    await expectAccessible(page);
  }
}

/** Nothing sticks out at the right of a page of this width, once it has taken it. */
export async function expectToFit(page: Page, width: number, message?: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), message)
    .toBeLessThanOrEqual(width);
}

/** Nothing sticks out at the right on the narrowest screens. */
export async function expectToFitPhones(page: Page): Promise<void> {
  const size = page.viewportSize();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 780 });
    await expectToFit(page, width);
  }
  if (size) await page.setViewportSize(size);
}

/** The Tab key alone reaches every control within `root`. Radios with one name are one stop, as in the browser. */
export async function expectReachable(page: Page, root = "main"): Promise<void> {
  const controls = await page.evaluate((within) => {
    const found = [
      ...document.querySelectorAll<HTMLElement>(`${within} :is(a[href], button, input, select, textarea, [tabindex])`),
    ];
    const isStop = (one: HTMLElement) =>
      one.tabIndex >= 0 && !one.matches(":disabled, [inert] *") && one.checkVisibility({ visibilityProperty: true });
    const isTheGroups = (one: HTMLElement) => {
      if (!(one instanceof HTMLInputElement) || one.type !== "radio") return true;
      const group = found.filter((other) => other instanceof HTMLInputElement && other.name === one.name);
      return one === (group.find((other) => (other as HTMLInputElement).checked) ?? group[0]);
    };
    const missed = new Set(found.filter((one) => isStop(one) && isTheGroups(one)));
    const reached = ({ target }: FocusEvent) => missed.delete(target as HTMLElement);
    document.addEventListener("focusin", reached);
    missed.delete(document.activeElement as HTMLElement);
    Object.assign(window, {
      missedControls: () => [...missed].map((one) => one.outerHTML.slice(0, 120)),
      stopLooking: () => document.removeEventListener("focusin", reached),
    });
    return missed.size;
  }, root);
  type Looking = { missedControls: () => string[]; stopLooking: () => void };
  const missed = () => page.evaluate(() => (window as unknown as Looking).missedControls());
  // The header's links come first, and the cycle starts again at the top of the page.
  for (let steps = 0; steps < controls * 2 + 60; steps++) {
    await page.keyboard.press("Tab");
    if (steps % 10 === 9 && (await missed()).length === 0) break;
  }
  expect(await missed()).toEqual([]);
  await page.evaluate(() => (window as unknown as Looking).stopLooking());
}

/** Records what the page's policy refuses from now on. */
export function refusals(page: Page): string[] {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  return refused;
}
