const KB = 1024;
const MB = KB * KB;

/**
 * The labels of a ruler as long as a file of so many bytes, in `steps` equal steps from 0: in megabytes, or in kilobytes
 * where tenths of a megabyte would not tell them apart. The last names the unit.
 */
export function marks(size: number, steps: number): string[] {
  const small = size < 0.1 * steps * MB;
  const figure = (bytes: number) => (small ? String(Math.ceil(bytes / KB)) : (bytes / MB).toFixed(1));
  return Array.from({ length: steps + 1 }, (_, i) => {
    if (i === 0) return "0";
    const label = figure((size * i) / steps);
    return i === steps ? `${label} ${small ? "KB" : "MB"}` : label;
  });
}
