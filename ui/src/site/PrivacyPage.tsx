import { useIsPrivate, useSite } from "../access/site";
import { AskOperator } from "../billing/AskOperator";
import { LegalPage } from "./LegalPage";

/** What the program stores about people, and why. A change to what is stored or sent must change this page. */
export default function PrivacyPage() {
  const { data: site } = useSite();
  const isPrivate = useIsPrivate();
  // A private server may have sold plans before. As long as it can reach the payment provider, it may hold their records.
  const isFree = isPrivate && site?.billing === false;
  return (
    <LegalPage
      title="Privacy Policy"
      intro={
        <>
          Shelfwise keeps what you enter in order to show it back to you. It shows no advertising, sells nothing, and
          loads nothing from other companies. “We” is {site?.operator ?? "the operator of this server"}.
        </>
      }
      sections={isFree ? FREE_SECTIONS : SECTIONS}
      acknowledgment="By using Shelfwise you acknowledge that you have read and understood this policy."
    />
  );
}

/** The sections; `sells` on a server that takes payments or has plans. */
const sections = (sells: boolean) => [
  {
    title: "Information We Collect",
    body: (
      <>
        <p>What you give us:</p>
        <ul>
          <li>Your account: display name, email address, and a hash of your password.</li>
          <li>
            Your library: books with their series, tags and covers, dates, ratings, genres, impressions and quotes; the
            days on which you read, with the place, minutes and note; your goals; and your to-be-read list. When you
            import a file, its name and each of its rows are kept with the books they became, so that nothing of the
            file is lost, and what you said about its shelves and columns for the next time.
          </li>
          <li>
            Your preferences: theme, display and statistics settings, time zone, and whether you share with a team.
          </li>
          <li>Teams: which team you belong to, your role in it, and the email addresses that you invite.</li>
        </ul>
        <p>What comes with the use of it:</p>
        <ul>
          <li>
            Sessions: for each browser you are logged in with, when it logged in, when it was last seen, its IP address
            and its user agent. You can see and end your sessions under Account. Addresses of failed log-ins are counted
            in memory only, for a day at most.
          </li>
          <li>
            Activity: on which days you were active, and counts by kind of device, browser and operating system. Where
            the server has a place database, also by country and city. The database is on the server; no address is sent
            anywhere to be looked up.
          </li>
          {sells && (
            <li>
              Payments: the payment provider’s customer and subscription numbers, your plan, billing interval and
              renewal date. Card numbers go to the payment provider and never reach us.
            </li>
          )}
          <li>
            Social login: if you use one, the provider’s name, its number for you, the email address it gave, and when
            you connected it. Its access and refresh tokens are not kept.
          </li>
          <li>
            API tokens: if you make any, their names, when each was made, was last used and ends, and a hash of each.
          </li>
          <li>
            Secret links: if you make any, what each shows, when it was made, was last opened and ends, and a hash of
            its address. Anybody who has the address sees what you chose to show, until the link ends or you take it
            back.
          </li>
          <li>
            Security events: log-ins, failed log-ins, and changes of your password, address, sign-in providers
            {sells ? ", tokens and plan" : " and tokens"}, each with its time, the device, and the network that it came
            from (the first three parts of an IPv4 address, or the first three of an IPv6 address). You and the
            operators of the server can see them.
          </li>
        </ul>
      </>
    ),
  },
  {
    title: "How We Use Information",
    body: (
      <p>
        To keep your library and work out its statistics; to sign you in and keep your account safe; to run teams
        {sells && " and subscriptions"}; to send the mail that was asked for, which is a link to reset a password or an
        invitation to a team, and to tell you when your password, your address or your ways to log in change, when an
        API token is made, when a new device logs in, and when your account is deleted; and to see, in counts, how the
        server is used and loaded. We do not build advertising profiles and we do not train anything on your library.
      </p>
    ),
  },
  {
    title: "Storage and Security",
    body: (
      <>
        <p>
          Your data is in one database on the server, with backups beside it or where its operator puts them. Passwords
          are stored as Argon2id hashes; the tokens of sessions and of the interface for programs, and the links for
          passwords and invitations, as hashes only. The server’s log names no titles, addresses or tokens. Connections
          are encrypted where the server is reached by https. Attempts to log in are slowed down when they fail. No
          system is perfectly safe; if we learn of a breach that concerns you, we tell you.
        </p>
        <p>
          The people who run the server can reach its database. The program itself shows your books to nobody else,
          operators included, unless you share with your team or by a secret link.
        </p>
      </>
    ),
  },
  {
    title: "Third Parties",
    body: (
      <>
        <p>
          {sells ? "Three" : "Two"} kinds of company may be involved, each only where the server’s operator has set it
          up and only for its purpose:{" "}
          {sells && "the card payment provider, Stripe, for paid plans and its customer portal; "}
          the social login you choose (Google, GitHub, Facebook, Apple, Microsoft, or another one named on the login
          page); and a mail service that delivers our messages. Their own policies apply to what they do.
        </p>
        <p>
          When you look a book up, this server asks book catalogues such as Open Library. They receive the title or ISBN
          and the server’s name, and nothing about you; the server stores their answers without saying who asked.
        </p>
        <p>
          We do not sell or rent personal data. We disclose it only when the law obliges us to, and then no more of it
          than the law demands.
        </p>
        <p>
          If you switch sharing on, the members of your team see your name, your finished books with their ratings, and
          their figures. Switch it off, and they no longer do.
        </p>
      </>
    ),
  },
  {
    title: "Your Rights",
    body: (
      <p>
        You can see and correct everything you entered, in the app. Under Account you can export it all, as one archive
        of CSV and JSON files, at any time{sells && " and on every plan"}; delete your books and lists and keep the
        account; or delete the account. You can also ask us for a copy, a correction, a deletion or an explanation,
        object to a use, and complain to the data protection authority where you live.
      </p>
    ),
  },
  {
    title: "Cookies",
    body: (
      <>
        <p>
          One cookie keeps you logged in. It cannot be read by scripts, and it is sent to this server only. Another
          remembers for 400 days that you have logged in on this device, so that somebody else’s guessing can’t keep you
          out. While you log in through another provider, a third one guards that step for a few minutes. There are no
          advertising or tracking cookies.
        </p>
        <p>
          Your browser also keeps your theme; whether the shelf shows unfinished books; the year for which you want no
          goal; a note that you are logging out, until the server has confirmed it; the program’s own files and your
          library as you last saw it, so that both open without a connection; the page that signing in leads back to,
          until you close the tab; drafts of forms that you have not saved; and what you noted without a connection,
          until it is sent. These stay on your device, and logging out takes the library, the drafts and what waits
          away. A device that is offline shows the library until it hears that its session has ended. If this server is
          reached by plain http, pictures of covers can stay in your browser’s cache after that.
        </p>
      </>
    ),
  },
  {
    title: "Retention",
    body: (
      <ul>
        <li>Your account and library: until you delete them.</li>
        <li>
          Sessions: until you end them, for 30 days after the last use, and 90 days at most. An account has at most a
          hundred; the one unused for longest goes first.
        </li>
        <li>Security events: 90 days, or until you delete your account.</li>
        <li>
          Links to reset a password: one hour; to choose the first one: seven days. Invitations: seven days; the address
          is deleted within a day after that, but for its first and last character and its domain, which the link shows
          for 90 days.
        </li>
        <li>Answers to requests that add something: one day, so that a repeated request adds nothing twice.</li>
        <li>Former values of books that you changed many at once: 90 days, so that you can undo the change.</li>
        <li>
          Deleted data: gone from the database at once, its last traces within a day. Backups made before hold it until
          they are replaced.
        </li>
        {sells && <li>Payment records: as long as tax law requires, at the payment provider.</li>}
      </ul>
    ),
  },
  {
    title: "Children’s Privacy",
    body: (
      <p>
        You must be at least 13 years old to use Shelfwise. We do not knowingly keep data of younger children. If you
        believe that a child has an account, write to us and we delete it.
      </p>
    ),
  },
  {
    title: "Changes",
    body: (
      <p>
        When this policy changes, the date at the top changes with it. Material changes are announced at least 30 days
        before they take effect.
      </p>
    ),
  },
  {
    title: "Contact",
    body: (
      <p>
        Questions, requests and complaints about privacy go to <AskOperator />.
      </p>
    ),
  },
];

const SECTIONS = sections(true);
const FREE_SECTIONS = sections(false);
