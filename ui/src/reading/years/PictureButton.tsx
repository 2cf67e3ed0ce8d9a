import { useState } from "react";
import type { Review } from "../../kit/api/types";
import { Button } from "../../kit/ui/Button";
import { lazyDialog } from "../../kit/ui/lazyPart";

const PictureDialog = lazyDialog(() => import("./picture/PictureDialog").then((all) => all.default));

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
      {open && <PictureDialog review={review} today={today} onClose={() => setOpen(false)} />}
    </>
  );
}
