import { usedSeats } from "../access/seats";
import type { SeatUsage } from "../kit/api/types";
import { fillOf } from "./model";
import css from "./Team.module.css";

/** The width of a seat in the drawing's own units; the drawing is stretched to its container. */
const SEAT = 40;
/** From this number of seats on there are no gaps, because little else would be visible. */
const MOST_GAPS = 60;

/** One box for each seat: used seats are filled, seats of invitations are lighter, free seats are empty. */
export function SeatMeter({ usage }: { usage: SeatUsage }) {
  const { currentMembers, pendingInvitations, seatLimit } = usage;
  const held = pendingInvitations > 0 ? `, ${pendingInvitations} of them held by an invitation` : "";
  const fill = fillOf(usage);
  const seats = (count: number) => Math.min(count, seatLimit) * SEAT;
  const gaps = seatLimit <= MOST_GAPS ? seatLimit - 1 : 0;
  return (
    <svg
      className={css.meter}
      viewBox={`0 0 ${seatLimit * SEAT} 14`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${usedSeats(usage)} of ${seatLimit} seats used${held}`}
    >
      <rect className={css.track} x=".5" y=".5" width={seatLimit * SEAT - 1} height="13" />
      <g data-fill={fill}>
        <rect width={seats(currentMembers)} height="14" />
        <rect
          className={css.held}
          x={seats(currentMembers)}
          width={seats(currentMembers + pendingInvitations) - seats(currentMembers)}
          height="14"
        />
      </g>
      <path className={css.gap} d={Array.from({ length: gaps }, (_, i) => `M${(i + 1) * SEAT} 0v14`).join("")} />
    </svg>
  );
}
