// Runs in the head, before the first paint. It is written for browsers older than those that the program needs, because it tells their
// owners so.
(() => {
  // The stored choice, otherwise the system's preference. The server's preference overrides it later.
  let theme = null;
  try {
    theme = localStorage.getItem(`shelfwise-theme${document.documentElement.dataset.base || ""}`);
  } catch (_blocked) {
    // Storage may be blocked: then only the system's preference counts.
  }
  if (theme !== "dark" && theme !== "light") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  const root = document.documentElement;
  root.classList.add(theme);
  // The style sheet says the same as soon as it has arrived.
  root.style.colorScheme = theme;
})();
(() => {
  const isNewEnough = window.AbortSignal && "timeout" in AbortSignal && CSS.supports("container-type", "inline-size");
  if (isNewEnough) return;
  document.addEventListener("DOMContentLoaded", () => {
    const sentence = document.createElement("p");
    sentence.textContent =
      "This browser is too old for Shelfwise. It needs Safari 16, Chrome 109 or Firefox 115, or newer.";
    document.body.insertBefore(sentence, document.body.firstChild);
  });
})();
