// Runs in the head, before the first paint: the stored choice, otherwise the system's preference. The server's
// preference overrides it later.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("shelfwise-theme");
  } catch {
    // Storage may be blocked: then only the system's preference counts.
  }
  if (theme !== "dark" && theme !== "light") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.classList.add(theme);
})();
