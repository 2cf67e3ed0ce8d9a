import { lazy, Suspense } from "react";
import { useSite } from "../access/site";
import { paths } from "../kit/paths";
import { Block } from "../kit/ui/Block";
import { LinkButton } from "../kit/ui/Button";
import { Setting, Settings } from "../kit/ui/Settings";
import { Spinner } from "../kit/ui/Waiting";
import { Tokens } from "./Tokens";
import { YourData } from "./YourData";

const Links = lazy(() => import("../sharing/Links"));

/** What gets in or out besides the reader: exports for other programs, the reader's own files, secret links and API tokens. */
export function ConnectionsTab() {
  return (
    <>
      <Block
        title="Take it elsewhere"
        lead="Your library in the form that another program reads, with a list of what it can’t hold."
      >
        <Settings>
          <Setting name="Other programs" hint="Goodreads, StoryGraph, Hardcover, LibraryThing and others.">
            <LinkButton size="compact" href={paths.elsewhere()}>
              Choose a program
            </LinkButton>
          </Setting>
        </Settings>
      </Block>
      <YourData />
      <SecretLinks />
      <Tokens />
    </>
  );
}

function SecretLinks() {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <Block title="Links" lead="One secret address for one thing. Nothing is public until you make one.">
      {site.shares ? (
        <Suspense fallback={<Spinner>Fetching your links</Spinner>}>
          <Links />
        </Suspense>
      ) : (
        <p className="hint">The person who runs this server has switched links off.</p>
      )}
    </Block>
  );
}
