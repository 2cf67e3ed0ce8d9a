import { paths } from "../../kit/paths";
import { Button } from "../../kit/ui/Button";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
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
  ["Reading List", "Settings, Export, CSV"],
  ["Book Catalogue", "Export to CSV"],
  ["Libation", "Export library, CSV"],
] as const;

function save(kind: Kind) {
  const { name, text } = template(kind);
  download(name, text);
}

/** Sources of files: other trackers, and templates to fill in by hand. */
export function Aside() {
  return (
    <aside className={css.aside}>
      <section className="panel">
        <h2 className={`h3 ${css.panelTitle}`}>Where to find your export</h2>
        <Leaders>
          {SOURCES.map(([name, place]) => (
            <Leader key={name} name={name}>
              {place}
            </Leader>
          ))}
        </Leaders>
        <p className="hint">They work as they come. What has no place here is kept with each book.</p>
      </section>
      <section className="panel">
        <h2 className={`h3 ${css.panelTitle}`}>Templates</h2>
        <p className="muted">Starting from a spreadsheet? Fill one of these in.</p>
        <div className={css.templates}>
          <Button icon="download" size="compact" onClick={() => save("books")}>
            Read Books template
          </Button>
          <Button icon="download" size="compact" onClick={() => save("tbr")}>
            TBR template
          </Button>
        </div>
      </section>
      <section className="panel">
        <h2 className={`h3 ${css.panelTitle}`}>Afterwards</h2>
        <p>
          <Link href={paths.fillIn()}>Fill in from former imports</Link>
        </p>
        <p>
          <Link href={paths.changes()}>What has changed, and undo</Link>
        </p>
      </section>
    </aside>
  );
}
