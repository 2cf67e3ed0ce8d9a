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
            Shelfwise is a reading tracker for people who like their numbers as well set as their books. Log what you
            finish and see it in words, genres, authors and months.
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
          title="Track every book, in words"
          text="A page can hold a haiku or half a chapter. A word is always a word, so a novella and a doorstop sit on the
            same scale. Log books you have finished, books you are in the middle of, and books whose date you have long
            forgotten."
        >
          <SampleBooks />
        </Part>

        <Part
          title="Charts that answer plain questions"
          text="How much did I read in March? Which genre takes the most of my time? Who do I keep going back to? Four
            charts answer."
        >
          <SampleCharts />
        </Part>

        <Part
          title="A TBR list in your own order"
          text="The next ten books, dragged into the order you mean to read them in. With notes, so you remember who told
            you to."
        >
          <SamplePile />
        </Part>

        <Part
          title="Bring your history with you"
          text="CSV import reads the exports of Goodreads, StoryGraph and seven other trackers as they come. You see which
            column goes where, and which rows will not fit, before anything is saved. CSV export takes it all out again."
        >
          <Leaders className={css.ruled}>
            <Leader name="Exclusive Shelf">Status</Leader>
            <Leader name="Date Read">Date Completed</Leader>
            <Leader name="My Rating">Rating, 0-10</Leader>
            <Leader name="Number of Pages">Word Count, at 275 a page</Leader>
            <Leader name="Binding">Format</Leader>
          </Leaders>
        </Part>

        <Part
          title="A private library"
          text="Your books are visible to you and to no one else, unless you choose to share them. Shelfwise can
            run on a machine of your own, as one program with its data beside it."
        >
          <Leaders className={css.ruled}>
            <Leader name="Followers, feeds, public profiles">none</Leader>
            <Leader name="Adverts">none</Leader>
            <Leader name="Export">CSV, any time</Leader>
            <Leader name="Delete">your books, or the whole account</Leader>
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

/** The way into the program: an account, or the log-in page where nobody can sign up. */
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
