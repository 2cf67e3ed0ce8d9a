/** Forms whose stored values change while someone types into them. */

/** What a form started from, and what it holds now. */
export interface Typed<Form> {
  base: Form;
  values: Form;
}

/** A field that was changed elsewhere since the form was filled. */
export interface ChangedField<Form> {
  field: keyof Form;
  /** Whether the field was also changed in the form. The form keeps its own value then. */
  isKept: boolean;
}

/** A form on a newer base. */
export interface Rebased<Form> extends Typed<Form> {
  /** The fields that were changed elsewhere to something else than the form holds. */
  elsewhere: readonly ChangedField<Form>[];
}

/** Whether two values of a form are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Moves a form to a newer base: fields that were not changed in the form take the newer value, all others keep what was
 * typed. Of lists, entries that the form added or removed are added or removed again.
 */
export function rebase<Form extends object>({ base, values }: Typed<Form>, newer: Form): Rebased<Form> {
  const merged = { ...newer };
  const elsewhere: ChangedField<Form>[] = [];
  for (const field of Object.keys(newer) as (keyof Form)[]) {
    const isTyped = !isSame(values[field], base[field]);
    if (isTyped) merged[field] = mergedValue(base[field], values[field], newer[field]);
    const isChanged = !isSame(newer[field], base[field]) && !isSame(newer[field], values[field]);
    if (isChanged) elsewhere.push({ field, isKept: isTyped && !Array.isArray(newer[field]) });
  }
  return { base: newer, values: merged, elsewhere };
}

function mergedValue<Value>(base: Value, typed: Value, newer: Value): Value {
  if (!Array.isArray(base) || !Array.isArray(typed) || !Array.isArray(newer)) return typed;
  if (isSame(base, newer)) return typed;
  const has = (list: unknown[], entry: unknown) => list.some((one) => isSame(one, entry));
  const kept = newer.filter((entry) => has(typed, entry) || !has(base, entry));
  const added = typed.filter((entry) => !has(base, entry) && !has(kept, entry));
  return [...kept, ...added] as Value;
}

/** The fields of `values` that differ from `base`. */
export function changesOf<Payload extends object>(base: Payload, values: Payload): Partial<Payload> {
  const fields = Object.entries(values).filter(([field, value]) => !isSame(value, base[field as keyof Payload]));
  return Object.fromEntries(fields) as Partial<Payload>;
}
