import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import type { Review } from "../../../kit/api/types";
import { save } from "../../../kit/download";
import { bluesByRank } from "../../../kit/spine/rank";
import { Alert } from "../../../kit/ui/Alert";
import { Button } from "../../../kit/ui/Button";
import { Dialog, DialogClose } from "../../../kit/ui/Dialog";
import { SegmentedControl } from "../../../kit/ui/SegmentedControl";
import { Switch } from "../../../kit/ui/Switch";
import { optionsQuery } from "../../../library/books/api";
import { isMonth, periodTitle } from "../model";
import { pictureFigures, pictureSubtitle } from "./content";
import { drawPicture, loadFonts, penOf } from "./draw";
import { type Content, SIZES, type Size } from "./layout";
import css from "./Picture.module.css";
import { PALETTES, type Paper } from "./palette";

const SIZE_OPTIONS = (Object.keys(SIZES) as Size[]).map((value) => ({
  value,
  label: (
    <span className={css.size}>
      {SIZES[value].name}
      <small>
        {SIZES[value].width} × {SIZES[value].height}
      </small>
    </span>
  ),
}));
const PAPERS = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** `blocked`: the browser does not let pages draw. */
type State = "drawing" | "drawn" | "blocked";

interface PictureDialogProps {
  review: Review;
  today: string;
  onClose: () => void;
}

/** Draws the picture of a period in the browser and saves it. */
export default function PictureDialog({ review, today, onClose }: PictureDialogProps) {
  const id = useId();
  const { data: options } = useQuery(optionsQuery);
  const [size, setSize] = useState<Size>("post");
  const [paper, setPaper] = useState<Paper>("light");
  const [hasNames, setHasNames] = useState(true);
  const [state, setState] = useState<State>("drawing");
  const canvas = useRef<HTMLCanvasElement>(null);
  const content = useMemo<Content>(() => {
    const blueOf = bluesByRank(options?.genres.map(({ name }) => name) ?? []);
    return {
      title: periodTitle(review.period),
      subtitle: pictureSubtitle(review.period, today),
      figures: pictureFigures(review),
      books: review.shelf,
      blueOf: (book) => blueOf(book.genres[0]),
      hasNames,
    };
  }, [review, today, options, hasNames]);

  const savePicture = () => {
    canvas.current?.toBlob((file) => {
      if (!file) return setState("blocked");
      save(`${review.period}-${size}.png`, file);
      onClose();
    }, "image/png");
  };

  const { width, height } = SIZES[size];
  return (
    <Dialog
      onClose={onClose}
      title={isMonth(review.period) ? "A picture of the month" : "A picture of the year"}
      foot={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" icon="download" disabled={state !== "drawn"} onClick={savePicture}>
            Save picture
          </Button>
        </>
      }
    >
      {state === "blocked" && (
        <Alert kind="note">This browser does not let pages draw pictures. Save the page as PDF instead.</Alert>
      )}
      <div className={css.picture} hidden={state === "blocked"}>
        <div className={css.view}>
          <Preview
            ref={canvas}
            content={content}
            size={size}
            paper={paper}
            onState={setState}
            label={`Preview of the picture of ${content.title}, ${width} by ${height}, ${paper}, ${hasNames ? "with titles" : "without titles"}`}
          />
        </div>
        <div className={css.options}>
          <div>
            <p className={css.label} aria-hidden="true">
              Size
            </p>
            <SegmentedControl
              label="Size"
              name={`${id}-size`}
              fill
              options={SIZE_OPTIONS}
              value={size}
              onChoose={setSize}
            />
          </div>
          <div>
            <p className={css.label} aria-hidden="true">
              Paper
            </p>
            <SegmentedControl
              label="Paper"
              name={`${id}-paper`}
              fill
              options={PAPERS}
              value={paper}
              onChoose={setPaper}
            />
          </div>
          <div className={css.names}>
            <label htmlFor={`${id}-names`}>Titles on the spines</label>
            <Switch id={`${id}-names`} checked={hasNames} onSwitch={setHasNames} />
          </div>
          <p className="hint">Drawn on this device. Nothing is sent anywhere, and your name is not in it.</p>
        </div>
      </div>
    </Dialog>
  );
}

interface PreviewProps {
  ref: RefObject<HTMLCanvasElement | null>;
  content: Content;
  size: Size;
  paper: Paper;
  label: string;
  onState: (state: State) => void;
}

/** The picture in its full size, shown smaller. The dialog's content exists only after the dialog, so the drawing starts here. */
function Preview({ ref, content, size, paper, label, onState }: PreviewProps) {
  useEffect(() => {
    let isLatest = true;
    const pen = ref.current && penOf(ref.current);
    if (!pen) return onState("blocked");
    onState("drawing");
    loadFonts(content).then(() => {
      if (!isLatest) return;
      drawPicture(pen, size, content, PALETTES[paper]);
      onState("drawn");
    });
    return () => {
      isLatest = false;
    };
  }, [ref, content, size, paper, onState]);
  const { width, height } = SIZES[size];
  return <canvas ref={ref} width={width} height={height} role="img" aria-label={label} />;
}
