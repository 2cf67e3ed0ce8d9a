import { type RefObject, useEffect, useRef, useState } from "react";
import { Button } from "../../../kit/ui/Button";
import { Dialog } from "../../../kit/ui/Dialog";
import { useIsShown } from "../../../kit/ui/useIsShown";
import { readIsbn } from "./ean13";
import { grayOf } from "./picture";
import css from "./ScanDialog.module.css";

/** Milliseconds between two looks at the camera's picture. */
const PAUSE = 150;
/** The longer side of a camera's picture and of a photo, in pixels; a photo that shows nothing is looked at once more. */
const CAMERA_SIDE = 800;
const PHOTO_SIDES = [1_000, 1_800];

interface ScanDialogProps {
  onFound: (isbn: string) => void;
  onClose: () => void;
}

/** Reads the barcode of a book from the camera, or from a photo. Pictures stay on this device. */
export default function ScanDialog({ onFound, onClose }: ScanDialogProps) {
  const video = useRef<HTMLVideoElement>(null);
  const isLive = useCamera(video, onFound);
  const [said, setSaid] = useState<string | null>(null);

  const isShown = useIsShown();

  const look = async (file: File) => {
    setSaid("Looking at the photo");
    const isbn = await isbnOfPhoto(file);
    if (!isShown.current) return;
    if (isbn) onFound(isbn);
    else setSaid("No ISBN barcode was found in this photo. Come closer with more light, or type the 13 digits.");
  };

  return (
    <Dialog
      onClose={onClose}
      title="Scan the barcode"
      text="Hold the barcode on the back of the book into the frame. The picture stays on this device."
      foot={
        <>
          <label className={css.photo}>
            <span>{isLive === false ? "Take a photo" : "Take a photo instead"}</span>
            <input
              className="vh"
              type="file"
              accept="image/*"
              capture="environment"
              onChange={({ target }) => {
                const file = target.files?.[0];
                // The same photo can be chosen again.
                target.value = "";
                if (file) look(file);
              }}
            />
          </label>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <div className={css.frame} data-live={isLive || undefined}>
        <video ref={video} className={css.video} muted playsInline tabIndex={-1} />
        <p className={css.said} role="status">
          {said ?? (isLive === false ? withoutCamera() : "Looking for a barcode")}
        </p>
      </div>
    </Dialog>
  );
}

function withoutCamera(): string {
  return window.isSecureContext
    ? "The camera is not available. Take a photo, or type the 13 digits."
    : "A browser opens the camera only on https pages. Take a photo, or type the 13 digits.";
}

/**
 * Shows the camera in the element and looks for a barcode until one is found. False where there is no camera, null until that is
 * known.
 */
function useCamera(video: RefObject<HTMLVideoElement | null>, onFound: (isbn: string) => void): boolean | null {
  const [isLive, setLive] = useState<boolean | null>(null);
  const found = useRef(onFound);
  useEffect(() => {
    found.current = onFound;
  });
  useEffect(() => {
    let [stream, timer, isOver]: [MediaStream | null, number, boolean] = [null, 0, false];
    const look = () => {
      const element = video.current;
      if (isOver || !element) return;
      const { videoWidth, videoHeight } = element;
      const isbn = videoWidth > 0 ? readIsbn(grayOf(element, videoWidth, videoHeight, CAMERA_SIDE)) : null;
      if (isbn) found.current(isbn);
      else timer = window.setTimeout(look, PAUSE);
    };
    const start = async () => {
      // Pages without https have no media devices.
      const devices = navigator.mediaDevices as MediaDevices | undefined;
      const opened = await devices?.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 } } });
      if (!opened) throw new Error("no camera");
      stream = opened;
      if (isOver || !video.current) return stop();
      video.current.srcObject = opened;
      await video.current.play();
      setLive(true);
      look();
    };
    const stop = () => {
      isOver = true;
      window.clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch(() => isOver || setLive(false));
    return stop;
  }, [video]);
  return isLive;
}

/** The ISBN in a photo; null when there is none, or the file is not a picture. */
async function isbnOfPhoto(file: File): Promise<string | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  for (const side of PHOTO_SIDES) {
    const isbn = readIsbn(grayOf(bitmap, bitmap.width, bitmap.height, side));
    if (isbn) return isbn;
  }
  return null;
}
