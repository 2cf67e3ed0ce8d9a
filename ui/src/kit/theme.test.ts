import { beforeEach, expect, it, vi } from "vitest";
import { chooseTheme, currentTheme, followServer, startTheme } from "./theme";

/** A browser whose system prefers dark or light; `turn` changes the preference. */
function systemPrefers(dark: boolean) {
  const listeners: (() => void)[] = [];
  const query = { matches: dark, addEventListener: (_: string, listener: () => void) => listeners.push(listener) };
  vi.stubGlobal("matchMedia", () => query);
  return {
    turn: (nowDark: boolean) => {
      query.matches = nowDark;
      for (const listener of listeners) listener();
    },
  };
}

const classes = () => document.documentElement.className;

beforeEach(() => {
  localStorage.clear();
  document.documentElement.className = "";
});

it("follows the system where nothing was chosen, also when it turns", () => {
  const system = systemPrefers(true);
  startTheme();
  expect(classes()).toBe("dark");
  system.turn(false);
  expect(classes()).toBe("light");
});

it("a stored choice wins over the system", () => {
  localStorage.setItem("shelfwise-theme", "light");
  const system = systemPrefers(true);
  startTheme();
  system.turn(true);
  expect(classes()).toBe("light");
});

it("anything else in the store counts as no choice", () => {
  localStorage.setItem("shelfwise-theme", "sepia");
  systemPrefers(false);
  startTheme();
  expect(currentTheme()).toBe("light");
});

it("a choice is applied and stored", () => {
  systemPrefers(false);
  startTheme();
  chooseTheme("dark");
  expect(classes()).toBe("dark");
  expect(localStorage.getItem("shelfwise-theme")).toBe("dark");
});

it("the server's preference overrides the local choice, and one never made changes nothing", () => {
  systemPrefers(false);
  startTheme();
  chooseTheme("light");
  followServer(null);
  expect(classes()).toBe("light");
  followServer("dark");
  expect(classes()).toBe("dark");
  expect(localStorage.getItem("shelfwise-theme")).toBe("dark");
});

it("a blocked store does not stop the page from following", () => {
  systemPrefers(false);
  startTheme();
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("blocked");
  });
  chooseTheme("dark");
  expect(classes()).toBe("dark");
});
