/** Operations in words. */
import type { Operation, Undone } from "../../../kit/api/types";
import { counted } from "../../../kit/format";
import type { IconName } from "../../../kit/ui/Icon";

const KINDS: Record<Operation["kind"], { name: string; icon: IconName }> = {
  import: { name: "Import", icon: "upload" },
  sync: { name: "Brought up to date from a file", icon: "upload" },
  "fill-in": { name: "Completed from imports", icon: "plus" },
  join: { name: "Merged", icon: "book" },
  part: { name: "Split into its own book", icon: "book" },
  rename: { name: "Renamed", icon: "tag" },
  merge: { name: "Merged", icon: "tag" },
  "delete-tag": { name: "Tag deleted", icon: "tag" },
  device: { name: "File of a device", icon: "calendar" },
  change: { name: "Many books changed", icon: "edit" },
};

/** The icon of an operation. */
export const iconOf = ({ kind }: Operation) => KINDS[kind].icon;

/** An operation in words: what the server says of it, else its kind. */
export const nameOf = ({ summary, kind }: Operation) => summary || KINDS[kind].name;

/** What an undo did: `17 changes taken back. 2 books stay, because you changed them since: ` */
export function undoneText({ restored, removed, kept }: Undone): string {
  const done = [
    restored > 0 && `${counted(restored, "change")} taken back.`,
    removed > 0 && `${counted(removed, "entry", "entries")} removed.`,
  ].filter(Boolean);
  const first = done.length > 0 ? done.join(" ") : "There was nothing left to take back.";
  if (kept.length === 0) return first;
  const stay = kept.length === 1 ? "stays, because you changed it" : "stay, because you changed them";
  return `${first} ${counted(kept.length, "book")} ${stay} since: `;
}
