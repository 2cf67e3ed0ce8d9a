import { paths } from "../kit/paths";
import { Block } from "../kit/ui/Block";
import { LinkButton } from "../kit/ui/Button";
import { Setting, Settings } from "../kit/ui/Settings";
import { Tokens } from "./Tokens";
import { YourData } from "./YourData";

/** What gets in or out besides the reader: exports for other programs, the reader's own files, and API tokens. */
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
      <Tokens />
    </>
  );
}
