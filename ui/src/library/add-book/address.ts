/** An id from the address; undefined where there is none, or something else. */
export function idOf(parameter: string | null): number | undefined {
  return parameter !== null && /^[1-9]\d{0,15}$/.test(parameter) ? Number(parameter) : undefined;
}
