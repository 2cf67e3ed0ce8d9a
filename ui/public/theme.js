// Runs in the head, before the first paint: the stored theme, otherwise the system's preference. The server's
// preference overrides it later. Where this browser has the typefaces already, no page waits for them.
(() => {
  const page = document.documentElement;
  let theme = null;
  try {
    theme = localStorage.getItem("shelfwise-theme");
    if (localStorage.getItem("shelfwise-typefaces")) delete page.dataset.typefaces;
  } catch {
    // Storage may be blocked: then only the system's preference counts.
  }
  if (theme !== "dark" && theme !== "light") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  page.classList.add(theme);
})();
