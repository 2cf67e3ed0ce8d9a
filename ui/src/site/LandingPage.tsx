import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useOffersSignUp } from "../access/site";
import { PLAN_NAMES } from "../access/subscription";
import { plansQuery } from "../billing/api";
import type { PlanPrices } from "../kit/api/types";
import { counted } from "../kit/format";
import { paths } from "../kit/paths";
import { LinkButton } from "../kit/ui/Button";
import { Leader, Leaders } from "../kit/ui/Leaders";
import { Page } from "../kit/ui/Page";
import { Footer } from "./Footer";
import css from "./LandingPage.module.css";
import { SampleCharts } from "./SampleCharts";
import { SampleDays, SamplePlace } from "./SampleReading";
import { SampleBooks, SamplePile } from "./SampleRows";
import { SampleShelf } from "./SampleShelf";
import { ScrollToTop } from "./ScrollToTop";

export const TITLE = "Shelfwise, a reading tracker";

/**
 * The landing page, which shows the program by its own parts. The build renders it, too, so nothing here may have a
 * style attribute.
 */
export default function LandingPage() {
  return (
    <>
      <Page title={TITLE} bareTitle className="">
        <section className={`wrap ${css.hero}`}>
          <h1>A shelf that keeps count.</h1>
          <p className={css.lead}>
            Shelfwise is a reading tracker for people who like their numbers as well set as their books. Note where you
            are, finish, rate; it keeps the words, the days and the years.
          </p>
          <div className={css.actions}>
            <Start size="large" />
            <LinkButton size="large" href={paths.pricing()}>
              See the plans
            </LinkButton>
            <p className="hint">Free to use, with paid plans.</p>
          </div>
          <SampleShelf />
        </section>

        <Part
          title="Track every book, to the page"
          text="Twenty pages further? One tap. Shelfwise remembers the day, says when you will be done, and draws how far
            you've come."
        >
          <SamplePlace />
        </Part>

        <Part
          title="Days that add up"
          text="Every day you read is a small spine: the taller, the more. Set a goal if you like one. Leave it if you
            don't."
        >
          <SampleDays />
        </Part>

        <Part
          title="Charts that answer plain questions"
          text="How much did I read in March? What takes most of my time? Who do I keep going back to? Four charts answer,
            under one filter."
        >
          <SampleCharts />
        </Part>

        <Part
          title="A year worth keeping"
          text="The shelf you filled, your best and your longest, month by month. Save it as a picture, or share it by a
            secret link."
        >
          <SampleBooks />
        </Part>

        <Part
          title="Add a book without typing"
          text="Scan it, look it up, or drop the EPUB. Title, cover, pages and words fill themselves in."
        >
          <Leaders className={css.ruled}>
            <Leader name="Scan the barcode">or type a title</Leader>
            <Leader name="Open the EPUB">its words are counted</Leader>
            <Leader name="Type it all yourself">always works</Leader>
          </Leaders>
        </Part>

        <Part
          title="A TBR list in your own order"
          text="Drag the next ten books into the order you mean to read them in. With notes, so you remember who told
            you to."
        >
          <SamplePile />
        </Part>

        <Part
          title="Bring your history, keep it in step"
          text="CSV import reads the export of your present tracker as it comes. You see what will come in before anything
            is saved; the next export only brings what changed."
        >
          <Leaders className={css.ruled}>
            <Leader name="Exports of 15 programs">as they come</Leader>
            <Leader name="Any other CSV">you say which column is what</Leader>
            <Leader name="The next file">brings it up to date</Leader>
            <Leader name="Changed your mind">undo, for 90 days</Leader>
          </Leaders>
        </Part>

        <Part
          title="Open without a network"
          text="On a train Shelfwise opens as it was. What you note, finish and quote waits in the browser, and arrives
            once."
        >
          <Leaders className={css.ruled}>
            <Leader name="Your library">as you last saw it</Leader>
            <Leader name="Places, finished books, quotes">sent when you are back</Leader>
            <Leader name="On your phone">an app on the home screen</Leader>
          </Leaders>
        </Part>

        <Part
          title="A private library"
          text="Your books are visible to you, unless you share them with your team or by a link. Shelfwise can run on a
            machine of your own."
        >
          <Leaders className={css.ruled}>
            <Leader name="Followers, likes, adverts">none</Leader>
            <Leader name="Public by default">nothing</Leader>
            <Leader name="Secret links">if you create one</Leader>
            <Leader name="Export">everything, any time</Leader>
            <Leader name="Delete">your books, or the account</Leader>
          </Leaders>
        </Part>

        <Part
          title="Free to use, with paid plans"
          text="The Reader plan is free forever. The paid plans lift its limits."
        >
          <Plans />
          <div className={css.actions}>
            <Start />
            <LinkButton variant="quiet" href={paths.pricing()}>
              Compare plans
            </LinkButton>
          </div>
        </Part>
      </Page>
      <Footer />
      <ScrollToTop />
    </>
  );
}

/** The way into the program: an account, or the log-in page where no one can sign up. */
function Start({ size }: { size?: "large" }) {
  const offersSignUp = useOffersSignUp();
  return (
    <LinkButton variant="primary" size={size} href={offersSignUp ? paths.signup() : paths.login()}>
      {offersSignUp ? "Get Started" : "Log in"}
    </LinkButton>
  );
}

/** A claim at the left, and at the right the part of the program that keeps it. */
function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={`wrap ${css.part}`}>
      <div className={css.claim}>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <div className={css.proof}>{children}</div>
    </section>
  );
}

/** The plans: their names at once, their limits and prices when the server has answered. */
function Plans() {
  const { data: offers = [] } = useQuery(plansQuery);
  return (
    <Leaders className={css.plans}>
      {PLANS.map((plan) => {
        const offer = offers.find((one) => one.plan === plan);
        return (
          <Leader
            key={plan}
            name={
              <>
                <span className="serif">{PLAN_NAMES[plan]}</span>
                {offer && `, ${room(offer)}`}
              </>
            }
          >
            {offer && (plan === "reader" ? `${offer.annual} forever` : `${offer.annual} per year`)}
          </Leader>
        );
      })}
    </Leaders>
  );
}

const PLANS = ["reader", "shelfwise_plus", "shelfwise_team"] as const;

function room({ bookLimit, membersAnnual }: PlanPrices): string {
  if (membersAnnual !== null) return counted(membersAnnual, "member");
  return bookLimit === null ? "unlimited books" : counted(bookLimit, "book");
}
