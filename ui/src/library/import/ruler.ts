const KB = 1024;
const MB = KB * KB;

/** How many kilobytes are told without tenths. */
const WHOLE = 40;

/**
 * The labels of a ruler as long as a file of so many bytes, in `steps` equal steps from 0: in megabytes, or in kilobytes
 * where tenths of a megabyte would not tell them apart. The last names the unit.
 */
export function marks(size: number, steps: number): string[] {
  const [unit, name] = size < 0.1 * steps * MB ? [KB, "KB"] : [MB, "MB"];
  const figures = unit === KB && size >= WHOLE * KB ? 0 : 1;
  return Array.from({ length: steps + 1 }, (_, i) => {
    if (i === 0) return "0";
    const label = ((size * i) / steps / unit).toFixed(figures);
    return i === steps ? `${label} ${name}` : label;
  });
}
