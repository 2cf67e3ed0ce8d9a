import { paths } from "../kit/paths";
import { Block } from "../kit/ui/Block";
import { LinkButton } from "../kit/ui/Button";
import { Setting, Settings } from "../kit/ui/Settings";
import { YourData } from "./YourData";

/** What goes out of the library: to other programs, and as the reader's own files. */
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
    </>
  );
}
