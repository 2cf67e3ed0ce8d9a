import type { ComponentProps, ReactNode } from "react";
import css from "./Button.module.css";
import { Icon, type IconName } from "./Icon";
import { Link } from "./Link";

interface ButtonStyle {
  /** `primary` is an ink fill, at most one in a view. The default is `outline`. */
  variant?: "primary" | "outline" | "quiet" | "danger" | "danger-outline";
  /** `compact` is for toolbars (and is compact with a fine pointer only), `large` for the landing page. */
  size?: "compact" | "large";
  /** As wide as its container. */
  wide?: boolean;
  icon?: IconName;
}

type ButtonProps = ComponentProps<"button"> &
  ButtonStyle & {
    /** The label while the action is in progress ("Logging in..."). It disables the button. */
    busy?: string | false | null;
  };

function styleProps({ variant = "outline", size, wide }: ButtonStyle, className?: string) {
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
    <button
      type="button"
      {...rest}
      {...styleProps({ variant, size, wide }, className)}
      disabled={disabled || Boolean(busy)}
    >
      {inside(icon, busy || children)}
    </button>
  );
}

type LinkButtonProps = Omit<ComponentProps<"a">, "href"> & ButtonStyle & { href: string };

/** A link within the interface that looks like a button. */
export function LinkButton({ variant, size, wide, icon, className, children, href, ...rest }: LinkButtonProps) {
  return (
    <Link href={href} {...rest} {...styleProps({ variant, size, wide }, className)}>
      {inside(icon, children)}
    </Link>
  );
}

/** A link that the server answers itself: a download, or a redirect to another site. */
export function PlainLinkButton({ variant, size, wide, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} {...styleProps({ variant, size, wide }, className)}>
      {inside(icon, children)}
    </a>
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  icon: IconName;
  /** The icon in the dark theme. Styles switch it, because the landing page is rendered before the reader's theme is known. */
  iconInDark?: IconName;
  /** The action and its object: "Edit Gaudy Night". */
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

/** A button that looks like a link within a sentence. */
export function TextButton({ className, ...rest }: ComponentProps<"button">) {
  return <button type="button" {...rest} className={className ? `${css.text} ${className}` : css.text} />;
}

/** A link that leads on to another page. It stands alone, so it is underlined and as high as a button. */
export function TextLink({ icon, children, href }: { icon?: IconName; children: ReactNode; href: string }) {
  return (
    <Link className={css.link} href={href}>
      {children}
      {icon && <Icon name={icon} small />}
    </Link>
  );
}
