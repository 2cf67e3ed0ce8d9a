// Runs in the head, before the first paint: the stored choice, else the system's. A server preference overrides later.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("shelfwise-theme");
  } catch {
    // Storage may be blocked: the system's choice is then all there is.
  }
  if (theme !== "dark" && theme !== "light") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  document.documentElement.classList.add(theme);
})();
