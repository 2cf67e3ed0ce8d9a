import { Fragment, type ReactNode, useId, useState } from "react";
import { counted } from "../../kit/format";
import { Button } from "../../kit/ui/Button";
import { FieldError, Select } from "../../kit/ui/Field";
import { Fold } from "../../kit/ui/Fold";
import css from "./Columns.module.css";
import { UNUSED } from "./texts";

/** A column of a file, as the server has read it or as the reader says. */
interface Column {
  name: string;
  sample: string;
  field: string | null;
}

interface ColumnsProps<Field extends string> {
  columns: readonly Column[];
  /** What a column can be. */
  targets: readonly { value: Field | typeof UNUSED; label: string }[];
  /** Whether the file's format is known. Columns that are not used are then folded away. */
  known: boolean;
  /** The required field that no column is mapped to yet. */
  missing: string | null;
  onChoose: (name: string, field: Field | null) => void;
  /** What becomes of columns that are not used. */
  children: ReactNode;
}

/** Every column of the file with an example, and the field that it is mapped to. */
export function Columns<Field extends string>({
  columns,
  targets,
  known,
  missing,
  onChoose,
  children,
}: ColumnsProps<Field>) {
  const [all, setAll] = useState(false);
  const id = useId();
  // Columns that were mapped at first stay visible when they are unmapped.
  const [matchedAtFirst] = useState(() => new Set(columns.filter(({ field }) => field).map(({ name }) => name)));
  const used = columns.filter(({ name, field }) => field || matchedAtFirst.has(name));
  const shown = known && !all ? used : columns;
  const unused = known ? columns.length - used.length : 0;
  const matched = columns.filter(({ field }) => field).length;
  const asked = missing ? columns.findIndex(({ field }) => !field) : -1;
  return (
    <Fold title="Columns" holds={`${matched} of ${columns.length} matched`} act="Change" isOpen={missing !== null}>
      <table className={css.map}>
        <thead>
          <tr>
            <th scope="col">In your file</th>
            <th scope="col">An example</th>
            <th scope="col">In Shelfwise</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((column, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may have two columns of one name, and their order stays
            <Fragment key={i}>
              <Row
                id={id + i}
                column={column}
                targets={targets}
                asked={i === asked ? missing : null}
                onChoose={onChoose}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
      {missing && asked < 0 && <FieldError role="alert">No column is the {missing} yet.</FieldError>}
      <div className={css.foot}>
        <p className="hint">{children}</p>
        {unused > 0 && (
          <Button size="compact" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show matched ones only" : `Show ${counted(unused, "more column")}`}
          </Button>
        )}
      </div>
    </Fold>
  );
}

interface RowProps<Field extends string> extends Pick<ColumnsProps<Field>, "targets" | "onChoose"> {
  id: string;
  column: Column;
  /** The required field that this column may be, because no other column is. */
  asked: string | null;
}

function Row<Field extends string>({ id, column, targets, asked, onChoose }: RowProps<Field>) {
  return (
    <>
      <tr>
        <td>
          <label className="label" htmlFor={id} dir="auto">
            {column.name || "(no name)"}
          </label>
        </td>
        <td className={css.sample} dir="auto">
          {column.sample}
        </td>
        <td>
          <Select
            id={id}
            options={targets}
            value={(column.field as Field | null) ?? UNUSED}
            onChoose={(to) => onChoose(column.name, to === UNUSED ? null : to)}
            aria-invalid={asked ? true : undefined}
            aria-describedby={asked ? `${id}-error` : undefined}
          />
        </td>
      </tr>
      {asked && (
        <tr className={css.need}>
          <td colSpan={3}>
            <FieldError id={`${id}-error`}>No column is the {asked} yet. Is it this one?</FieldError>
          </td>
        </tr>
      )}
    </>
  );
}
