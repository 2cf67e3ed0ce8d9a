import type { Book } from "../../kit/api/types";
import { MenuItem } from "../../kit/ui/Menu";
import { type Noted, useReadToday } from "./notes";
import { useStateChange } from "./useStateChange";

/** What is asked in a dialog before it is done to an open book. */
export type Asked = "finish" | "quote" | "stop";

interface ReadMenuProps {
  book: Book;
  today: string;
  /** Whether Finish and Pause have buttons beside the menu. */
  short?: boolean;
  onAsk: (asked: Asked) => void;
  /** As the note of a form. */
  onNoted: (note: Noted | null) => void;
  onPaused: () => void;
}

/** The items of a menu: what can be done with an open book beside noting a place. */
export function ReadMenu({ book, today, short = false, onAsk, onNoted, onPaused }: ReadMenuProps) {
  const { change } = useStateChange(book, today, onPaused);
  const { readToday } = useReadToday(book, today, onNoted);
  return (
    <>
      {!short && (
        <>
          <MenuItem icon="check" onSelect={() => onAsk("finish")}>
            Finish
          </MenuItem>
          <MenuItem icon="pause" onSelect={() => change("pause")}>
            Pause
          </MenuItem>
        </>
      )}
      <MenuItem icon="book" onSelect={readToday}>
        Read today
      </MenuItem>
      <MenuItem icon="quote" onSelect={() => onAsk("quote")}>
        Add a quote
      </MenuItem>
      <MenuItem icon="x" onSelect={() => onAsk("stop")}>
        Did not finish
      </MenuItem>
    </>
  );
}
