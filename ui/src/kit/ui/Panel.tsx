import { type ReactNode, useId } from "react";
import css from "./Panel.module.css";

interface PanelProps {
  title: string;
  /** At the right of the title. */
  end?: ReactNode;
  /** Under an ink rule, unless what follows has one of its own. */
  ruled?: boolean;
  /** Stands beside another, not below one. */
  beside?: boolean;
  children: ReactNode;
}

/** A titled part of a page of figures. */
export function Panel({ title, end, ruled = true, beside, children }: PanelProps) {
  const id = useId();
  const classes = [ruled && "panel", !beside && "section"].filter(Boolean).join(" ");
  return (
    <section className={classes} aria-labelledby={id}>
      <div className={css.head}>
        <h2 className="h2" id={id}>
          {title}
        </h2>
        {end && <div className={css.end}>{end}</div>}
      </div>
      {children}
    </section>
  );
}

/** Panels side by side, where there is room. */
export function Panels({ children }: { children: ReactNode }) {
  return <div className={`section ${css.two}`}>{children}</div>;
}
