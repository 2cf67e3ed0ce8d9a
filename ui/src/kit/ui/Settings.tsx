import type { ReactNode } from "react";
import { PremiumBadge } from "./Badge";
import css from "./Settings.module.css";
import { Slider } from "./Slider";
import { Switch } from "./Switch";

/** Rows of settings below an ink rule. */
export function Settings({ children }: { children: ReactNode }) {
  return <div className={css.settings}>{children}</div>;
}

interface SettingProps {
  /** The control's id. A row with a button has none, because the button has a label of its own. */
  id?: string;
  name: string;
  hint?: ReactNode;
  /** The plan does not include the setting: the control is disabled and has a badge. */
  locked?: boolean;
  children: ReactNode;
}

/** A setting: its name, a hint, and the control at the right. */
export function Setting({ id, name, hint, locked, children }: SettingProps) {
  return (
    <div className={css.setting}>
      <div>
        <Name id={id} name={name} locked={locked} />
        {hint && (
          <p className="hint" id={id && `${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}

function Name({ id, name, locked }: Pick<SettingProps, "id" | "name" | "locked">) {
  return (
    <div className={css.name}>
      {id ? <label htmlFor={id}>{name}</label> : <p>{name}</p>}
      {locked && <PremiumBadge />}
    </div>
  );
}

type SwitchSettingProps = Omit<SettingProps, "children" | "id"> & {
  id: string;
  checked: boolean;
  onSwitch: (on: boolean) => void;
};

export function SwitchSetting({ checked, onSwitch, ...row }: SwitchSettingProps) {
  return (
    <Setting {...row}>
      <Switch
        id={row.id}
        checked={checked}
        onSwitch={onSwitch}
        disabled={row.locked}
        aria-describedby={row.hint ? `${row.id}-hint` : undefined}
      />
    </Setting>
  );
}

interface SliderSettingProps {
  id: string;
  name: string;
  /** Whole per cent. */
  value: number;
  max: number;
  onSlide: (value: number) => void;
  locked?: boolean;
}

/** A percentage, from 0 up. */
export function SliderSetting({ id, name, value, max, onSlide, locked }: SliderSettingProps) {
  return (
    <div className={css.setting}>
      <Name id={id} name={name} locked={locked} />
      <output className={css.value} htmlFor={id}>
        {value}%
      </output>
      <Slider className={css.full} id={id} value={value} max={max} onSlide={onSlide} disabled={locked} />
    </div>
  );
}
