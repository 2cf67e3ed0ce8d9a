import { Leader, Leaders } from "../../../kit/ui/Leaders";

interface KeptTitlesProps {
  /** The name of the list. */
  label: string;
  entries: readonly { id: number; title: string }[];
  /** What is said of each of them. */
  note: string;
  className?: string;
}

/** Books and items of the list that stay, each with the same note. */
export function KeptTitles({ label, entries, note, className }: KeptTitlesProps) {
  return (
    <Leaders className={className} label={label}>
      {entries.map(({ id, title }) => (
        <Leader
          key={`${id} ${title}`}
          name={
            <span className="serif" dir="auto">
              {title}
            </span>
          }
        >
          {note}
        </Leader>
      ))}
    </Leaders>
  );
}
