import { paths } from "../../../kit/paths";
import { Leader, Leaders } from "../../../kit/ui/Leaders";
import { Link } from "../../../kit/ui/Link";
import css from "../Import.module.css";

const RULES = [
  ["Changed there, not here", "theirs"],
  ["Changed here, not there", "yours"],
  ["Changed on both sides", "you choose"],
  ["Gone there", "kept here"],
  ["Finished here, open there", "stays finished"],
] as const;

/** How a sync decides between the file and the library. */
export function SyncAside() {
  return (
    <aside className={css.aside}>
      <section className="panel">
        <h2 className={`h3 ${css.panelTitle}`}>How it decides</h2>
        <Leaders>
          {RULES.map(([change, result]) => (
            <Leader key={change} name={change}>
              {result}
            </Leader>
          ))}
        </Leaders>
        <p className="hint">It compares with the rows of the last file, which are kept with your books.</p>
      </section>
      <section className="panel">
        <h2 className={`h3 ${css.panelTitle}`}>More</h2>
        <p>
          <Link href={paths.fillIn()}>Fill in from former imports</Link>
        </p>
        <p>
          <Link href={paths.changes()}>What has changed, and undo</Link>
        </p>
        <p>
          <Link href={paths.elsewhere()}>Take it elsewhere</Link>
        </p>
      </section>
    </aside>
  );
}
