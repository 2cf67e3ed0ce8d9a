import { useId } from "react";
import type { ImportPreview } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { Checkbox } from "../../kit/ui/Choice";
import { Select } from "../../kit/ui/Field";
import { Fold } from "../../kit/ui/Fold";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import css from "./Import.module.css";
import type { Choices, Place } from "./model";
import { allShelvesOffer, genreNamesText, PLACES, shelvesText } from "./texts";

interface ShelvesProps {
  preview: ImportPreview;
  choices: Choices;
  onPlace: (shelf: string, place: Place) => void;
  onGenres: (areGenres: boolean) => void;
  onKeepGenreNames: (keeps: boolean) => void;
}

/** The reader's own shelves: the status that their books get, and whether the others become genres. */
export function Shelves({ preview, choices, onPlace, onGenres, onKeepGenreNames }: ShelvesProps) {
  const id = useId();
  const { shelves, otherShelves, genreNames } = preview;
  if (shelves.length === 0 && !otherShelves && !genreNames) return null;
  return (
    <Fold title="Shelves" holds={shelvesText(preview, choices)} act="Change">
      {shelves.length > 0 && (
        <div>
          <Leaders>
            {shelves.map(({ name, rows, guess }, i) => (
              <Leader
                key={name}
                className={css.shelf}
                name={
                  <label className="serif" htmlFor={id + i} dir="auto">
                    {name}
                  </label>
                }
              >
                <span>{counted(rows, "book")}</span>
                <Select
                  id={id + i}
                  options={PLACES}
                  value={choices.shelves.get(name) ?? (guess as Place)}
                  onChoose={(place) => onPlace(name, place)}
                />
              </Leader>
            ))}
          </Leaders>
          <p className="hint">Read, to-read and currently-reading are known. We guessed the others: please check.</p>
        </div>
      )}
      {otherShelves && (
        <Checkbox checked={choices.allShelves} onChange={(event) => onGenres(event.target.checked)}>
          {allShelvesOffer(otherShelves)}
        </Checkbox>
      )}
      {genreNames && (
        <Checkbox checked={!choices.keepsGenreNames} onChange={(event) => onKeepGenreNames(!event.target.checked)}>
          Give genres their usual names: {genreNamesText(genreNames)}
        </Checkbox>
      )}
    </Fold>
  );
}
