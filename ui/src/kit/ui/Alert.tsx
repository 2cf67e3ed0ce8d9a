import type { ReactNode } from "react";
import css from "./Alert.module.css";
import { Icon, type IconName } from "./Icon";

const ICONS = { danger: "alert", ok: "ok", note: "info" } as const;

interface AlertProps {
  /** `danger` for a failure, `ok` for a success, `note` for information. */
  kind?: keyof typeof ICONS;
  /** Replaces the default icon of the kind. */
  icon?: IconName;
  className?: string;
  children: ReactNode;
}

/** A framed message in the page. Screen readers announce a danger at once, and the other kinds when they are idle. */
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

/** A warning banner with a lock, for what the plan holds back, with an action at the right. */
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
