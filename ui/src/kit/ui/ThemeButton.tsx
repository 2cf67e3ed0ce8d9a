import { type Theme, useTheme } from "../theme";
import { IconButton } from "./Button";

/** Switches between light and dark, in this browser; `onChoose` is for whoever keeps the choice elsewhere too. */
export function ThemeButton({ onChoose }: { onChoose?: (theme: Theme) => void }) {
  const [theme, choose] = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <IconButton
      icon={theme === "dark" ? "sun" : "moon"}
      label="Switch between light and dark"
      onClick={() => {
        choose(other);
        onChoose?.(other);
      }}
    />
  );
}
