import { lazy, Suspense, useState } from "react";
import type { Review } from "../../kit/api/types";
import { Button } from "../../kit/ui/Button";

const PictureDialog = lazy(() => import("./picture/PictureDialog"));

interface PictureButtonProps {
  review: Review;
  today: string;
}

/** Opens the dialog that draws the picture of a period. */
export function PictureButton({ review, today }: PictureButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon="download" onClick={() => setOpen(true)}>
        Save a picture
      </Button>
      {open && (
        <Suspense>
          <PictureDialog review={review} today={today} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
