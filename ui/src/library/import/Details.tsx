import type { Format, ImportPreview } from "../../kit/api/types";
import { Checkbox } from "../../kit/ui/Choice";
import { Field, Select } from "../../kit/ui/Field";
import { Fold } from "../../kit/ui/Fold";
import { FORMAT_WORDS, optionsOf, valuesOf } from "../../kit/words";
import type { Choices, Column } from "./model";
import { detailsText, lengthNotes, offers } from "./texts";
import type { Preview } from "./usePreview";

interface DetailsProps {
  preview: ImportPreview;
  choices: Choices;
  onChoose: Preview["choose"];
  /** The column with the moods of books, if a known tracker's file has one. */
  moods: Column | undefined;
  onMoods: (areTags: boolean) => void;
}

/** What else can be chosen about the books of a file, each with its preset, and where their lengths come from. */
export function Details({ preview, choices, onChoose, moods, onMoods }: DetailsProps) {
  const offered = offers(preview, choices);
  const lengths = lengthNotes(preview);
  const format = preview.asks?.find(({ field }) => field === "format");
  if (offered.length === 0 && !moods && !lengths && !format) return null;
  return (
    <Fold
      title="Details"
      holds={detailsText(preview, choices)}
      act={offered.length > 0 || moods || format ? "Change" : "Show"}
    >
      <div>
        {offered.map(({ choice, text }) => (
          <Checkbox
            key={choice}
            checked={choices[choice]}
            onChange={(event) => onChoose({ [choice]: event.target.checked })}
          >
            {text}
          </Checkbox>
        ))}
        {moods && (
          <Checkbox checked={moods.field === "tags"} onChange={(event) => onMoods(event.target.checked)}>
            Make tags of the moods
          </Checkbox>
        )}
        {format && (
          <Field label="Format of books that say none">
            <Select
              options={optionsOf(FORMAT_WORDS, valuesOf(FORMAT_WORDS))}
              value={choices.format ?? (format.preset as Format)}
              onChoose={(chosen) => onChoose({ format: chosen })}
            />
          </Field>
        )}
        {lengths && <p className="hint">{lengths}</p>}
      </div>
    </Fold>
  );
}
