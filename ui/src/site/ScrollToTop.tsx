import { useEffect, useState } from "react";
import { Icon } from "../kit/ui/Icon";
import css from "./ScrollToTop.module.css";

/** Scroll position in px from which the button shows. */
const FROM = 400;

/** A button that scrolls a long page back to the top. */
export function ScrollToTop() {
  const [far, setFar] = useState(false);

  useEffect(() => {
    const look = () => setFar(window.scrollY > FROM);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);

  return (
    <button
      type="button"
      className={css.button}
      data-on={far || undefined}
      aria-label="Scroll to top"
      onClick={() => window.scrollTo({ top: 0, behavior: "smooth" })}
    >
      <Icon name="up" />
    </button>
  );
}
