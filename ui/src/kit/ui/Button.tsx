import type { ComponentProps, ReactNode } from "react";
import css from "./Button.module.css";
import { Icon, type IconName } from "./Icon";
import { Link } from "./Link";

interface Look {
  /** Primary is an ink fill, one to a view; outline unless given. */
  variant?: "primary" | "outline" | "quiet" | "danger" | "danger-outline";
  /** Compact belongs into toolbars (and is so with a fine pointer only), large onto the landing page. */
  size?: "compact" | "large";
  /** As wide as what holds it. */
  wide?: boolean;
  icon?: IconName;
}

type ButtonProps = ComponentProps<"button"> &
  Look & {
    /** The label while the press is being worked on ("Logging in..."); it disables the button. */
    busy?: string | false | null;
  };

function look({ variant = "outline", size, wide }: Look, className?: string) {
  return {
    className: className ? `${css.button} ${className}` : css.button,
    "data-variant": variant,
    "data-size": size,
    "data-wide": wide || undefined,
  };
}

function inside(icon: IconName | undefined, children: ReactNode) {
  return (
    <>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </>
  );
}

export function Button({ variant, size, wide, icon, busy, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} {...look({ variant, size, wide }, className)} disabled={disabled || Boolean(busy)}>
      {inside(icon, busy || children)}
    </button>
  );
}

type LinkButtonProps = Omit<ComponentProps<"a">, "href"> & Look & { href: string };

/** A link within the program that looks like a button. */
export function LinkButton({ variant, size, wide, icon, className, children, href, ...rest }: LinkButtonProps) {
  return (
    <Link href={href} {...rest} {...look({ variant, size, wide }, className)}>
      {inside(icon, children)}
    </Link>
  );
}

/** A link to what the server answers itself: a download, a redirect to another site. */
export function PlainLinkButton({ variant, size, wide, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} {...look({ variant, size, wide }, className)}>
      {inside(icon, children)}
    </a>
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  icon: IconName;
  /** Stands there in the dark theme instead. By style alone: the landing page is drawn before its reader's theme is known. */
  iconInDark?: IconName;
  /** What it does, and to what: "Edit Gaudy Night". */
  label: string;
  compact?: boolean;
};

export function IconButton({ icon, iconInDark, label, compact, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${css.icon} ${className}` : css.icon}
      data-compact={compact || undefined}
      aria-label={label}
    >
      <Icon name={icon} className={iconInDark && css.inLight} />
      {iconInDark && <Icon name={iconInDark} className={css.inDark} />}
    </button>
  );
}

/** A button that reads as a link within a sentence. */
export function TextButton({ className, ...rest }: ComponentProps<"button">) {
  return <button type="button" {...rest} className={className ? `${css.text} ${className}` : css.text} />;
}
