import { lazy, Suspense } from "react";
import { useSite } from "../access/site";
import { paths } from "../kit/paths";
import { ActRow, Block } from "../kit/ui/Block";
import { LinkButton } from "../kit/ui/Button";
import { Spinner } from "../kit/ui/Waiting";
import { Tokens } from "./Tokens";

const Links = lazy(() => import("../sharing/Links"));

/** What gets in or out besides the reader: the exports, secret links and API tokens. */
export function ConnectionsTab() {
  return (
    <>
      <ActRow
        title="Your data"
        hint="Everything, spreadsheets, or a file for Goodreads, StoryGraph and other programs."
      >
        <LinkButton href={paths.export()}>Export</LinkButton>
      </ActRow>
      <ActRow title="Devices" hint="What you read in KOReader and apps like it moves your books along here.">
        <LinkButton href={paths.devices()}>Devices</LinkButton>
      </ActRow>
      <SecretLinks />
      <Tokens />
    </>
  );
}

function SecretLinks() {
  const { data: site } = useSite();
  if (!site) return null;
  return (
    <Block title="Secret links" lead="Nothing is public until you create one.">
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
