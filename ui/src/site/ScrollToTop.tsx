import { useEffect, useState } from "react";
import { Icon } from "../kit/ui/Icon";
import css from "./ScrollToTop.module.css";

/** How far down a page, in px, the way back up is offered. */
const FROM = 400;

/** The way back to the top of a long page. */
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
