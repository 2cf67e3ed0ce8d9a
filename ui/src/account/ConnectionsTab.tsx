import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSite } from "../access/site";
import { devicesQuery } from "../devices/api";
import { counted } from "../kit/format";
import { paths } from "../kit/paths";
import { ActRow, Block } from "../kit/ui/Block";
import { LinkButton } from "../kit/ui/Button";
import { lazyWithin } from "../kit/ui/lazyPart";
import { Spinner } from "../kit/ui/Waiting";
import { FromAnyPage } from "./FromAnyPage";
import { Sources } from "./Sources";
import { Tokens } from "./Tokens";
import { useDay } from "./useDay";

const Links = lazyWithin(() => import("../sharing/Links").then((all) => all.default));

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
      <Devices />
      <Sources />
      <SecretLinks />
      <FromAnyPage />
      <Tokens />
    </>
  );
}

function Devices() {
  const { data: devices = [] } = useQuery(devicesQuery);
  const day = useDay();
  const last = devices.map(({ lastSeenAt }) => lastSeenAt ?? "").reduce((a, b) => (a > b ? a : b), "");
  const unknown = devices.reduce((sum, { reports }) => sum + reports.unknown, 0);
  const facts = [
    devices.length > 0 && counted(devices.length, "device"),
    last && `Last report ${day(last)}`,
    unknown > 0 && `${counted(unknown, "document")} ${unknown === 1 ? "waits" : "wait"} for you`,
  ].filter(Boolean);
  const hint =
    facts.length > 0 ? facts.join(". ") : "What you read in KOReader and apps like it moves your books along";
  return (
    <ActRow title="Devices" hint={`${hint}.`}>
      <LinkButton href={paths.devices()}>Devices</LinkButton>
    </ActRow>
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
