/** The place reached, which a form notes in the log of the read beside its book. */
import type { Book } from "../../kit/api/types";
import { isSame } from "../../kit/rebase";
import { type BookForm, editionOf, hasPlace, typedPlace } from "./model";
import { type PlacePayload, placePayload } from "./read";

/** A day of the log that a form writes beside its book. */
export interface PlaceNote {
  day: string;
  payload: PlacePayload;
}

/**
 * What a valid form that started with `base` notes in the read's log: the place reached, on the day on which the read was
 * put away, or `today`. Null when the place is the one that it was. `book` is the stored book when it is edited.
 */
export function placeNote(base: BookForm, values: BookForm, today: string, book?: Book): PlaceNote | null {
  const { mode, stoppedDate, pausedSince } = values;
  const edition = editionOf(values);
  const typed = typedPlace(values, edition);
  if (!hasPlace(mode) || isSame(typedPlace(base, editionOf(base)), typed)) return null;
  const checked = placePayload(typed, edition);
  if ("refusal" in checked) return null;
  const known = book?.progress?.day;
  // A place that was taken away goes from the day that has it.
  if (values.place.trim() === "") return known ? { day: known, payload: checked.place } : null;
  const away = (mode === "did-not-finish" ? stoppedDate : pausedSince) || today;
  const noted = away > today ? today : away;
  // An earlier day would not show: the place of a read is that of its last day.
  return { day: known && known > noted ? known : noted, payload: checked.place };
}
