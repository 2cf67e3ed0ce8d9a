import type { UndoneImport } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Alert } from "../../kit/ui/Alert";
import { Leader, Leaders } from "../../kit/ui/Leaders";
import { Link } from "../../kit/ui/Link";
import css from "./Import.module.css";
import { undoneText } from "./texts";

/** What undoing an import removed, and what stays because it was changed. */
export function UndoneReport({ undone }: { undone: UndoneImport }) {
  const { kept, keptTbr } = undone;
  return (
    <section className={css.result} aria-label="Result">
      <Alert kind="ok">
        <strong>Import undone</strong>
        {undoneText(undone)}
      </Alert>
      {kept.length + keptTbr.length > 0 && (
        <Leaders className={css.list}>
          {kept.map(({ id, title }) => (
            <Kept key={`book ${id}`} title={title} href={paths.editBook(id)} />
          ))}
          {keptTbr.map(({ id, title }) => (
            <Kept key={`item ${id}`} title={title} href={paths.tbr()} />
          ))}
        </Leaders>
      )}
    </section>
  );
}

function Kept({ title, href }: { title: string; href: string }) {
  return (
    <Leader
      name={
        <Link className="serif" href={href} dir="auto">
          {title}
        </Link>
      }
    >
      changed since
    </Leader>
  );
}
