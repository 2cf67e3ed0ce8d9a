const KB = 1024;
const MB = KB * KB;

/** From this many kilobytes on, labels have no decimal. */
const WHOLE = 40;

/**
 * The labels of a ruler for a file of `size` bytes, in `steps` equal steps from 0: in megabytes, or in kilobytes when
 * tenths of a megabyte would repeat. The last label names the unit.
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
