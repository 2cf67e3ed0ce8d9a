import type { GrayPicture } from "./ean13";

/** A frame of a camera or a photo, in gray and with at most `longest` pixels on its longer side. */
export function grayOf(source: CanvasImageSource, width: number, height: number, longest: number): GrayPicture {
  const scale = Math.min(1, longest / Math.max(width, height, 1));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return { width: 0, height: 0, values: [] };
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const values = new Uint8Array(canvas.width * canvas.height);
  for (let at = 0; at < values.length; at++) {
    const [red, green, blue] = [data[4 * at] ?? 0, data[4 * at + 1] ?? 0, data[4 * at + 2] ?? 0];
    values[at] = (red * 77 + green * 150 + blue * 29) >> 8;
  }
  return { width: canvas.width, height: canvas.height, values };
}
