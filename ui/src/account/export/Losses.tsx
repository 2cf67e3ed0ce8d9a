import { counted, whole } from "../../kit/format";
import { paths } from "../../kit/paths";
import { Link } from "../../kit/ui/Link";
import css from "./Export.module.css";
import { type Loss, lossName } from "./model";

/** What does not fit: closed rows with counts; open they show a sentence and the first books. */
export function Losses({ losses }: { losses: readonly Loss[] }) {
  return (
    <div>
      {losses.map((loss) => (
        <details key={loss.what} className={css.loss}>
          <summary>
            <span>{lossName(loss)}</span>
            <span className={css.dots} aria-hidden="true" />
            <span className={css.count}>{counted(loss.count, "book")}</span>
          </summary>
          <div className={css.body}>
            <p className="hint">{loss.sentence}</p>
            <ul>
              {loss.books.map(({ id, title }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two items of the list may have one title and have no id.
                <li key={`${id} ${at}`} className="serif" dir="auto">
                  {id === null ? title : <Link href={paths.book(id)}>{title}</Link>}
                </li>
              ))}
            </ul>
            {loss.count > loss.books.length && <p className="hint">and {whole(loss.count - loss.books.length)} more</p>}
          </div>
        </details>
      ))}
    </div>
  );
}
