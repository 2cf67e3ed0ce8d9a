/** Operations in words. */
import type { Operation, Undone } from "../../kit/api/types";
import { counted } from "../../kit/format";

const KINDS: Record<Operation["kind"], string> = {
  import: "Import",
  sync: "Brought up to date from a file",
  "fill-in": "Filled in from former imports",
  join: "Joined as one book",
  part: "Separated from a book",
  rename: "Renamed",
  merge: "Merged",
  "delete-tag": "Tag deleted",
  device: "File of a device",
  change: "Many books changed",
};

/** The kind of an operation in words. */
export function kindName({ kind }: Pick<Operation, "kind">): string {
  return KINDS[kind];
}

/** What an undo did: `17 changes are taken back. 2 books stay as they are, because you changed them since: ` */
export function undoneText({ restored, removed, kept }: Undone): string {
  const done = [
    restored > 0 && `${counted(restored, "change")} ${restored === 1 ? "is" : "are"} taken back.`,
    removed > 0 && `${counted(removed, "entry", "entries")} removed.`,
  ].filter(Boolean);
  const first = done.length > 0 ? done.join(" ") : "There was nothing left to take back.";
  if (kept.length === 0) return first;
  const stays =
    kept.length === 1 ? "stays as it is, because you changed it" : "stay as they are, because you changed them";
  return `${first} ${counted(kept.length, "book")} ${stays} since: `;
}
