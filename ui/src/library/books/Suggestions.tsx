import { TextButton } from "../../kit/ui/Button";
import css from "./Suggestions.module.css";

interface SuggestionsProps {
  /** Where the names come from: "From your library". */
  label: string;
  names: readonly string[];
  onChoose: (name: string) => void;
}

/** Names of the reader's own library that fit what is typed. They stay when the field is left, so that nothing moves. */
export function Suggestions({ label, names, onChoose }: SuggestionsProps) {
  if (names.length === 0) return null;
  return (
    <ul className={css.suggestions} aria-label={label}>
      {names.map((name) => (
        <li key={name}>
          <TextButton onClick={() => onChoose(name)}>
            <span dir="auto">{name}</span>
          </TextButton>
        </li>
      ))}
    </ul>
  );
}
