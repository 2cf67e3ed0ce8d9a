import { Button } from "../../kit/ui/Button";
import { FieldGroup } from "../../kit/ui/Field";
import { DropField } from "../../kit/ui/FileField";
import { useEpub } from "../epub/useEpub";
import css from "./Covers.module.css";
import type { CoverState } from "./useCover";

const NO_COVER = "This EPUB has no cover that can be shown. Choose a picture instead.";

interface CoverPickerProps {
  /** The title of the book, "" while it is unknown. */
  title: string;
  cover: CoverState;
}

/** A picture or an EPUB that is dropped or chosen, shown before it is saved. */
export function CoverPicker({ title, cover }: CoverPickerProps) {
  const {
    epub,
    choose: read,
    forget,
  } = useEpub((book) => {
    if (book.cover) cover.choose(book.cover, "epub");
  });
  const take = (file: File | undefined) => {
    if (!file) return;
    if (/\.epub$/i.test(file.name)) return read(file);
    forget();
    cover.choose(file, "upload");
  };
  const isReading = cover.isBusy || (epub !== null && epub.read === undefined);
  const problem = cover.problem ?? (epub?.read && !epub.read.book?.cover ? NO_COVER : undefined);
  return (
    <FieldGroup className="span-2" label="Cover" error={problem}>
      <div className={css.pick}>
        <div className={css.frame} data-empty={cover.url === null || undefined}>
          {cover.url !== null && <img src={cover.url} alt={title ? `Cover of ${title}` : "Cover"} />}
        </div>
        <div className={css.choose}>
          <DropField
            low
            icon="upload"
            label={cover.url === null ? "Drop a picture or an EPUB" : "Drop another picture or an EPUB"}
            hint={
              isReading
                ? "Reading the file"
                : `${cover.source === "lookup" ? "Now: from the look-up. " : ""}It is made smaller here before it is sent. An EPUB brings its own cover.`
            }
            accept="image/jpeg,image/png,image/webp,.epub"
            onFile={take}
          />
          <Button
            size="compact"
            variant="quiet"
            icon="trash"
            disabled={cover.url === null}
            onClick={() => {
              forget();
              cover.remove();
            }}
          >
            Remove cover
          </Button>
        </div>
      </div>
    </FieldGroup>
  );
}
