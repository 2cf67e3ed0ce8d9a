/** An id from the address; undefined when it is missing or not an id. */
export function idOf(parameter: string | null): number | undefined {
  return parameter !== null && /^[1-9]\d{0,15}$/.test(parameter) ? Number(parameter) : undefined;
}
