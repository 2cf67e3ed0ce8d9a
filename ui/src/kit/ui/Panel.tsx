import { type ReactNode, useId } from "react";
import css from "./Panel.module.css";

interface PanelProps {
  title: string;
  /** At the right of the title. */
  end?: ReactNode;
  /** Whether the panel has an ink rule above; false when its content has one. */
  ruled?: boolean;
  /** Whether the panel is beside another, not below one. */
  beside?: boolean;
  children: ReactNode;
}

/** A titled section of a page of figures. */
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

/** Panels side by side, when there is room. */
export function Panels({ children }: { children: ReactNode }) {
  return <div className={`section ${css.two}`}>{children}</div>;
}
