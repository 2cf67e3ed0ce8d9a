import { COVER } from "../../kit/api/limits";

/** The largest file that the server takes as a cover. A test of the server checks this copy. */
const MOST_BYTES = 200 * 1024;
/** The qualities of a JPEG that are tried before the picture is made smaller. */
const QUALITIES = [0.86, 0.75, 0.6];
/** A picture that is still too large is drawn again with sides shorter by this factor. */
const SMALLER = 0.8;
/** A larger file is not opened: a browser needs many times its size to show it. */
const MOST_FILE = 50 * 1024 * 1024;

/** The reason why a file can't be a cover. */
export class CoverError extends Error {}

/** The size of a picture within the limits, with the same proportions; a smaller picture keeps its size. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, COVER.width.maximum / width, COVER.height.maximum / height);
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/**
 * Draws a picture again as a JPEG within the limits of the server. The place where a photo was taken is not in it, and a photo that was
 * taken sideways is upright. Throws {@link CoverError} for a file that is not a picture.
 */
export async function scaled(file: Blob): Promise<Blob> {
  if (file.size > MOST_FILE) throw new CoverError("This picture is larger than 50 MB.");
  const picture = await createImageBitmap(file).catch(() => {
    throw new CoverError("A cover is a JPEG, PNG or WebP.");
  });
  try {
    let { width, height } = fitted(picture.width, picture.height);
    for (;;) {
      for (const quality of QUALITIES) {
        const drawn = await draw(picture, width, height, quality);
        if (drawn.size <= MOST_BYTES) return drawn;
      }
      width = Math.max(1, Math.round(width * SMALLER));
      height = Math.max(1, Math.round(height * SMALLER));
    }
  } finally {
    picture.close();
  }
}

/** The picture on white, as transparent pixels would be black in a JPEG. */
function draw(picture: ImageBitmap, width: number, height: number, quality: number): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new CoverError("This browser can't make the picture smaller.");
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new CoverError("This browser can't make the picture smaller."));
    canvas.toBlob(done, "image/jpeg", quality);
  });
}
