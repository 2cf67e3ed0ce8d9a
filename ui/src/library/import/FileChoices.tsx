import type { ReactNode } from "react";
import type { ImportPreview } from "../../kit/api/types";
import { Fold, Folds } from "../../kit/ui/Fold";
import { Columns } from "./Columns";
import { Details } from "./Details";
import { OWN_EXPORT } from "./model";
import { DatesQuestion, StatusQuestion } from "./Questions";
import { Shelves } from "./Shelves";
import { TARGETS } from "./texts";
import type { Preview } from "./usePreview";

interface FileChoicesProps {
  preview: Preview;
  /** The newest answer about the file. */
  now: ImportPreview;
  /** The question what the books are must be answered first. */
  isMissing: boolean;
  /** A changed choice makes a different import, so what happened to the one before no longer matters. */
  onChange: () => void;
  /** Folds above those of the choices. */
  before?: ReactNode;
  /** Folds below them. */
  children?: ReactNode;
}

/** What only the reader knows about a file, and the folded choices with their presets. */
export function FileChoices({ preview, now, isMissing, onChange, before, children }: FileChoicesProps) {
  const { kind, columns, choices } = preview;
  const choosing =
    <Chosen extends unknown[]>(choose: (...chosen: Chosen) => void) =>
    (...chosen: Chosen) => {
      choose(...chosen);
      onChange();
    };
  const isKnown = now.format !== "unknown";
  const moods = isKnown ? columns.find(({ name }) => name.trim().toLowerCase() === "moods") : undefined;
  return (
    <>
      {now.ambiguousDates && (
        <DatesQuestion
          dates={now.ambiguousDates}
          order={choices.dateOrder ?? now.dateOrder}
          onChoose={(dateOrder) => choosing(preview.choose)({ dateOrder })}
        />
      )}
      {preview.asksStatus && (
        <StatusQuestion
          chosen={preview.status}
          hasDays={preview.proposesDays}
          onChoose={choosing(preview.chooseStatus)}
          isMissing={isMissing}
        />
      )}
      <Folds>
        {before}
        {now.format === OWN_EXPORT ? (
          <Fold title="Columns" holds={`all ${columns.length} used`} act="Show">
            <p className="hint">
              {now.restored
                ? "This is a complete export: everything in it is restored."
                : "Shelfwise wrote this file: everything in it is read."}
            </p>
          </Fold>
        ) : (
          <Columns
            columns={columns}
            targets={TARGETS}
            known={isKnown}
            missing={preview.lacks(kind)}
            onChoose={choosing(preview.chooseColumn)}
          >
            {isKnown ? "The rest" : "What you don’t use"} is kept with each book and comes back in the complete export.
          </Columns>
        )}
        <Shelves
          preview={now}
          choices={choices}
          onPlace={choosing(preview.chooseShelf)}
          onGenres={(allShelves) => choosing(preview.choose)({ allShelves })}
          onKeepGenreNames={(keepsGenreNames) => choosing(preview.choose)({ keepsGenreNames })}
        />
        {kind === "books" && (
          <Details
            preview={now}
            choices={choices}
            onChoose={choosing(preview.choose)}
            moods={moods}
            onMoods={(areTags) => moods && choosing(preview.chooseColumn)(moods.name, areTags ? "tags" : null)}
          />
        )}
        {children}
      </Folds>
    </>
  );
}
