import type { ReactNode } from "react";
import css from "./Alert.module.css";
import { Icon, type IconName } from "./Icon";

const ICONS = { danger: "alert", ok: "ok", note: "info" } as const;

interface AlertProps {
  /** `danger` is what went wrong, `ok` what went well, `note` what is merely good to know. */
  kind?: keyof typeof ICONS;
  /** Instead of the kind's own. */
  icon?: IconName;
  className?: string;
  children: ReactNode;
}

/** A framed message in the page. A danger interrupts a screen reader, the others wait their turn. */
export function Alert({ kind = "danger", icon = ICONS[kind], className, children }: AlertProps) {
  return (
    <div
      className={className ? `${css.alert} ${className}` : css.alert}
      data-kind={kind}
      role={kind === "danger" ? "alert" : "status"}
    >
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}

/** A warning wash with a lock: what the plan holds back, and at the right what to do about it. */
export function Banner({ children, action, icon = "lock", className }: BannerProps) {
  return (
    <div className={className ? `${css.banner} ${className}` : css.banner}>
      <Icon name={icon} />
      <p className={css.text}>{children}</p>
      {action}
    </div>
  );
}

interface BannerProps {
  children: ReactNode;
  action?: ReactNode;
  icon?: "lock" | "info" | "alert";
  className?: string;
}
