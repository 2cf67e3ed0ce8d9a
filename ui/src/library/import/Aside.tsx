import { Button } from "../../kit/ui/Button";
import { Fold, Folds } from "../../kit/ui/Fold";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { useMedia } from "../../kit/useMedia";
import { download } from "../books/csv";
import css from "./Import.module.css";
import type { Kind } from "./model";
import { template } from "./templates";

const SOURCES = [
  ["Goodreads", "My Books, Import and export"],
  ["StoryGraph", "Manage account, Export"],
  ["Hardcover", "Settings, Export"],
  ["LibraryThing", "Import/Export, as .tsv"],
  ["BookWyrm", "Settings, CSV export"],
  ["Openreads", "Settings, Backup, CSV"],
  ["Jelu", "Profile, Export"],
  ["Yamtrack", "Settings, Export"],
  ["Calibre", "Create a catalog, CSV"],
  ["Open Library", "Import & Export, Reading log"],
  ["Libib", "Settings, Library, Export"],
  ["Libby", "Tags or Timeline, Actions, Export timeline"],
  ["Reading List", "Settings, Export, CSV"],
  ["Book Catalogue", "Export to CSV"],
  ["Libation", "Export library, CSV"],
] as const;

function save(kind: Kind) {
  const { name, text } = template(kind);
  download(name, text);
}

/** From this width on the sources stand beside the file, open. */
const BESIDE = "(min-width: 1024px)";

/** Sources of files: other trackers, and templates to fill in by hand. */
export function Aside() {
  const isBeside = useMedia(BESIDE);
  return (
    <aside>
      <Folds>
        <Fold
          title="Where to find your export"
          holds={`Goodreads and ${SOURCES.length - 1} more`}
          act="Show"
          isOpen={isBeside}
        >
          <div>
            <Leaders>
              {SOURCES.map(([name, place]) => (
                <Leader key={name} name={name}>
                  {place}
                </Leader>
              ))}
            </Leaders>
            <p className="hint">Use the files as they are. What has no place here is kept with each book.</p>
          </div>
        </Fold>
        <Fold title="Starting from a spreadsheet" holds="two templates to fill in" act="Show" isOpen={isBeside}>
          <div className={css.templates}>
            <Button icon="download" size="compact" onClick={() => save("books")}>
              Read Books template
            </Button>
            <Button icon="download" size="compact" onClick={() => save("tbr")}>
              TBR template
            </Button>
          </div>
        </Fold>
      </Folds>
    </aside>
  );
}
