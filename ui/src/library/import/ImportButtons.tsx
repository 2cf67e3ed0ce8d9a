import { Button } from "../../kit/ui/Button";
import css from "./Import.module.css";
import type { Kind } from "./model";
import { IMPORT_AS } from "./texts";

interface ImportButtonsProps {
  onImport?: (kind: Kind) => void;
  /** The kinds that can't be imported; true for both. */
  disabled?: boolean | Partial<Record<Kind, boolean>>;
  /** The kind that is probably meant, or that was previewed. */
  primary?: Kind;
  /** What is missing. */
  why?: string | null;
}

/** The two ways to import a file. */
export function ImportButtons({ onImport, disabled = {}, primary = "books", why }: ImportButtonsProps) {
  const off = typeof disabled === "boolean" ? { books: disabled, tbr: disabled } : disabled;
  return (
    <div className={`form-foot ${css.actions}`}>
      {(["books", "tbr"] as const).map((kind) => (
        <Button
          key={kind}
          variant={kind === primary ? "primary" : onImport ? "quiet" : "outline"}
          size="large"
          disabled={off[kind]}
          onClick={() => onImport?.(kind)}
        >
          {IMPORT_AS[kind]}
        </Button>
      ))}
      {why && <span className="hint">{why}</span>}
    </div>
  );
}
