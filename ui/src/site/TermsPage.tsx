import { useIsPrivate, useSite } from "../access/site";
import { AskOperator } from "../billing/AskOperator";
import { paths } from "../kit/paths";
import { Link } from "../kit/ui/Link";
import { LegalPage } from "./LegalPage";

/** The terms between a reader and the operator of the server. On a private server nothing is sold. */
export default function TermsPage() {
  const { data: site } = useSite();
  const isPrivate = useIsPrivate();
  return (
    <LegalPage
      title="Terms of Service"
      intro={
        <>
          These are the terms between you and the provider, which is {site?.operator ?? "the operator of this server"}{" "}
          (“we”).
        </>
      }
      sections={isPrivate ? PRIVATE_SECTIONS : SECTIONS}
      acknowledgment="By using Shelfwise you acknowledge that you have read, understood and accepted these terms."
    />
  );
}

/** The law that the operator has named, otherwise that of the operator's location. */
function GoverningLaw() {
  const { data: site } = useSite();
  return site?.governingLaw ?? "the law of the place where the operator of this server is established";
}

const ACCEPTANCE = [
  {
    title: "Acceptance",
    body: (
      <p>
        By making an account or using Shelfwise you accept these terms. If you do not accept them, do not use it. You
        must be at least 13 years old; if the law where you live asks for a parent’s consent at your age, you need that
        too.
      </p>
    ),
  },
];

function description(groups: string) {
  return {
    title: "Service Description",
    body: (
      <p>
        Shelfwise is a reading tracker. You log books, keep a to-be-read list, import and export your data, and see
        statistics and charts. {groups} can also read as a group. We may add, change and remove features. Features
        marked beta may be unfinished and may go away.
      </p>
    ),
  };
}

const ACCOUNTS = [
  {
    title: "Accounts",
    body: (
      <p>
        You log in by email and password or, where this server offers it, through Google, GitHub, Facebook, Apple,
        Microsoft or another provider named on the login page. Give a working email address, keep your password to
        yourself, and tell us if somebody else got in. You answer for what is done through your account. One person, one
        account.
      </p>
    ),
  },
];

const PAYMENTS = [
  {
    title: "Subscription Plans and Billing",
    body: (
      <>
        <p>
          The Reader plan is free and has limits. Shelfwise Plus and Shelfwise Team are paid plans without them. What
          each includes and costs stands on the <Link href={paths.pricing()}>pricing page</Link>. A server that takes no
          payments says so there.
        </p>
        <p>
          Paid plans are billed monthly or annually, in advance, and renew automatically for the same interval until you
          cancel. On the team plan the owner pays, for the team’s base seats and for each additional member. Price
          changes are announced at least 30 days in advance and apply from your next renewal.
        </p>
      </>
    ),
  },
  {
    title: "Payment",
    body: (
      <p>
        Payments go through a card payment provider, Stripe, which also offers a customer portal for your cards and
        invoices. Paid plans need valid payment information. If a charge fails, we may end the paid plan after the
        provider’s further attempts have failed too. Prices are charged in the currency they are shown in; taxes are
        added where the law requires.
      </p>
    ),
  },
  {
    title: "Cancellation and Refunds",
    body: (
      <>
        <p>
          You can cancel at any time under Account, Billing. You keep the paid plan to the end of the period you have
          paid for; then the account reverts to the free plan. Nothing you logged is deleted by that: books beyond the
          free plan’s limits stay, and can be exported, but no further ones can be added.
        </p>
        <p>
          You may ask for a refund within 14 days of a charge. Whether it is granted is at the provider’s discretion.
          You can delete your account at any time; that ends a paid plan at once.
        </p>
      </>
    ),
  },
];

const DATA = [
  {
    title: "User Data and Privacy",
    body: (
      <p>
        Your library belongs to you. You give us the permission to store, process and show it that is needed to run
        Shelfwise for you, and none beyond that. The <Link href={paths.privacy()}>Privacy Policy</Link> says what is
        kept and why, and is part of these terms.
      </p>
    ),
  },
  {
    title: "Intellectual Property",
    body: (
      <p>
        The Shelfwise name, mark and texts belong to their owners, and the program is used under its license. Titles,
        authors’ names and quotations belong to whoever holds their rights; quote no more than the law allows.
      </p>
    ),
  },
];

function conduct(refund: string) {
  return {
    title: "Prohibited Conduct",
    body: (
      <>
        <p>Do not:</p>
        <ul>
          <li>break the law with Shelfwise, or another person’s rights;</li>
          <li>try to reach other people’s data, or get around limits and security;</li>
          <li>overload the server, or read it out by machine beyond the interface offered for that;</li>
          <li>send harmful files, or invite people who did not ask for it;</li>
          <li>resell access, or pass yourself off as somebody else.</li>
        </ul>
        <p>A violation may lead to the immediate termination of your account{refund}.</p>
      </>
    ),
  };
}

function liability(most: string) {
  return {
    title: "Limitation of Liability",
    body: (
      <p>
        Shelfwise is offered as it is, without warranties, as far as the law allows. We are not liable for indirect or
        consequential loss, nor for lost data or profit. Our total liability is limited to {most}. Where the law does
        not allow such limits, they apply as far as it does.
      </p>
    ),
  };
}

function changes(cancel: string) {
  return {
    title: "Changes",
    body: (
      <p>
        We may change these terms. Material changes are announced at least 30 days before they take effect. If you go on
        using Shelfwise after that you accept them; if you do not, {cancel}delete your account before.
      </p>
    ),
  };
}

const CONTACT = [
  {
    title: "Contact",
    body: (
      <>
        <p>
          Questions about these terms go to <AskOperator />.
        </p>
        <h3>Governing law</h3>
        <p>
          These terms are governed by <GoverningLaw />, without regard to rules on conflicts of law. The mandatory
          protection of consumers where you live stays with you.
        </p>
        <h3>Severability</h3>
        <p>If a part of these terms does not hold, the rest does.</p>
        <h3>Entire agreement</h3>
        <p>
          These terms and the Privacy Policy are the whole agreement between you and us about Shelfwise, and replace
          earlier ones.
        </p>
      </>
    ),
  },
];

const SECTIONS = [
  ...ACCEPTANCE,
  description("Readers on the team plan"),
  ...ACCOUNTS,
  ...PAYMENTS,
  ...DATA,
  conduct(", without refund"),
  liability("the greater of what you paid in the 12 months before the claim and 100 US dollars"),
  changes("cancel and "),
  ...CONTACT,
];

const PRIVATE_SECTIONS = [
  ...ACCEPTANCE,
  description("Readers in a team"),
  ...ACCOUNTS,
  ...DATA,
  conduct(""),
  liability("100 US dollars"),
  changes(""),
  ...CONTACT,
];
