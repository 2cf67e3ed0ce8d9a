import type { ReactNode } from "react";
import type { Interval, Plan, PlanPrices } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { SpineRun } from "../../kit/spine/SpineRun";
import { SAMPLE_BOOKS, SAMPLE_YEAR } from "../../kit/spine/sample";
import { Icon } from "../../kit/ui/Icon";
import css from "./Pricing.module.css";

interface PlanCardProps {
  offer: PlanPrices;
  interval: Interval;
  /** The actions on the plan. */
  children: ReactNode;
}

/** A plan: a shelf with its capacity, its price, and its features. */
export function PlanCard({ offer, interval, children }: PlanCardProps) {
  const { price, period, note } = priced(offer, interval);
  const { lead, items, without } = CONTENTS[offer.plan](offer);
  return (
    <section className={css.plan} aria-labelledby={`plan-${offer.plan}`}>
      <div className={css.shelf}>
        <Shelf plan={offer.plan} />
      </div>
      <div className={css.board} />
      <div className={css.inside}>
        <h2 className="h2" id={`plan-${offer.plan}`}>
          {offer.name}
        </h2>
        <p className={css.price}>
          <b>{price}</b>
          <span>{period}</span>
        </p>
        <p className={css.saving}>{note}</p>
        <p className="muted">{lead}</p>
        <ul>
          {items.map((item) => (
            <li key={item}>
              <Icon name="check" />
              <span>{item}</span>
            </li>
          ))}
          {without && (
            <li className={css.without}>
              <Icon name="minus" />
              <span>{without}</span>
            </li>
          )}
        </ul>
        {children}
      </div>
    </section>
  );
}

/** The price of an interval in three parts; the figures are the operator's own texts. */
function priced(offer: PlanPrices, interval: Interval): { price: string; period: string; note: string | null } {
  if (offer.plan === "reader") return { price: offer.annual, period: "forever", note: null };
  const annual = interval === "annual";
  const price = annual ? offer.annual : offer.monthly;
  const each = annual ? "per year" : "per month";
  const members = annual ? offer.membersAnnual : offer.membersMonthly;
  const seat = annual ? offer.seatAnnual : offer.seatMonthly;
  const period = members === null ? each : `${each}, including ${counted(members, "member")}`;
  const saving = annual ? offer.saving : null;
  return { price, period, note: seat === null ? saving : `Each additional member ${seat} ${each}` };
}

interface Contents {
  lead: string;
  items: readonly string[];
  /** What the plan lacks. */
  without?: string;
}

const CONTENTS: Record<Plan, (offer: PlanPrices) => Contents> = {
  reader: ({ bookLimit }) => ({
    lead: "For keeping a record.",
    items: [
      bookLimit === null ? "Unlimited books" : counted(bookLimit, "book"),
      "6 months of analytics history",
      "TBR list, CSV import and export",
    ],
    without: "No advanced charts",
  }),
  shelfwise_plus: () => ({
    lead: "For the whole reading life.",
    items: [
      "Unlimited books",
      "Full history",
      "Author and format analytics",
      "Custom themes and defaults",
      "Beta features",
      "Priority support",
    ],
  }),
  shelfwise_team: () => ({
    lead: "For book clubs, classes and families.",
    items: [
      "Everything in Plus",
      "Invitations and flexible seats",
      "Shared dashboards",
      "Group challenges",
      "Pooled analytics",
      "Separate team spaces",
    ],
  }),
};

const WIDTH = 366;
const GAP = 2;

/** The sample books on each plan's shelf; the free plan's shelf has room left. */
const SHELVES = {
  reader: { books: SAMPLE_YEAR.slice(1), most: 6, scale: 0.3 },
  shelfwise_plus: filling(SAMPLE_YEAR.slice(6), 11),
  shelfwise_team: filling(SAMPLE_BOOKS.slice(5), 21),
};

/** The scale at which the books fill the shelf. */
function filling(books: typeof SAMPLE_YEAR, most: number) {
  const words = books.slice(0, most).reduce((sum, book) => sum + book.wordCount, 0);
  return { books, most, scale: (WIDTH - GAP * (most - 1)) / (words / 1000) };
}

function Shelf({ plan }: { plan: Plan }) {
  return <SpineRun {...SHELVES[plan]} width={WIDTH} height={112} pad={12} />;
}
