import { chooseTheme, currentTheme, type Theme } from "../theme";
import { IconButton } from "./Button";

/** Switches between light and dark in this browser. `onChoose` is for callers that also store the choice elsewhere. */
export function ThemeButton({ onChoose }: { onChoose?: (theme: Theme) => void }) {
  return (
    <IconButton
      icon="moon"
      iconInDark="sun"
      label="Switch between light and dark"
      onClick={() => {
        const other = currentTheme() === "dark" ? "light" : "dark";
        chooseTheme(other);
        onChoose?.(other);
      }}
    />
  );
}
