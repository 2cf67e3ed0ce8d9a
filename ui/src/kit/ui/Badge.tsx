import type { ReactNode } from "react";
import css from "./Badge.module.css";
import { Icon } from "./Icon";

interface BadgeProps {
  /** `dashed`: not there yet. `none`: plain muted text in place of a badge. */
  variant?: "solid" | "dashed" | "warn" | "ok" | "none";
  className?: string;
  children: ReactNode;
}

export function Badge({ variant, className, children }: BadgeProps) {
  return (
    <span className={className ? `${css.badge} ${className}` : css.badge} data-variant={variant}>
      {children}
    </span>
  );
}

/** The rank of a colour among the six blues; 6 is "other". */
export type Blue = 1 | 2 | 3 | 4 | 5 | 6;

export function GenreBadge({ genre, blue }: { genre: string; blue: Blue }) {
  return (
    <Badge>
      <span className={`${css.spine} b${blue}`} aria-hidden="true" />
      <bdi dir="auto">{genre}</bdi>
    </Badge>
  );
}

/** Whether a book was a reread: Yes with the ribbon's mark, or a plain No. */
export function RereadBadge({ reread }: { reread: boolean }) {
  if (!reread) return <Badge variant="none">No</Badge>;
  return (
    <Badge>
      <span className={css.ribbon} aria-hidden="true" />
      Yes
    </Badge>
  );
}

/** Marks a feature that the plan does not include. */
export function PremiumBadge() {
  return (
    <Badge variant="warn">
      <Icon name="lock" small />
      Premium
    </Badge>
  );
}

export function Badges({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={className ? `${css.badges} ${className}` : css.badges}>{children}</span>;
}

/** A chosen value with a button that removes it. */
export function Chip({
  children,
  removeLabel,
  onRemove,
}: {
  children: ReactNode;
  removeLabel: string;
  onRemove: () => void;
}) {
  return (
    <span className={css.chip}>
      {children}
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        <Icon name="x" small />
      </button>
    </span>
  );
}

/** A rating with a star, or a dash. */
export function Rating({ value }: { value: number | null }) {
  if (value === null) return <span className="muted">-</span>;
  return (
    <span className={css.rating}>
      {value}
      <Icon name="star" />
      <span className="vh"> out of 10</span>
    </span>
  );
}
