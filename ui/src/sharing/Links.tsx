import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useZone } from "../access/zone";
import type { Share } from "../kit/api/types";
import { instantDate } from "../kit/format";
import { Badge } from "../kit/ui/Badge";
import { Button, IconButton } from "../kit/ui/Button";
import { AlertDialog } from "../kit/ui/Dialog";
import { Fetched } from "../kit/ui/Fetched";
import { FormDialog } from "../kit/ui/FormDialog";
import { FocusedItems, Item } from "../kit/ui/Items";
import { Menu, MenuItem } from "../kit/ui/Menu";
import { toast } from "../kit/ui/toast";
import { sharesQuery, useRenewShare, useTakeBack } from "./api";
import { isEnded, shareName, shownParts } from "./model";
import ShareDialog, { EditDialog, shownOnce } from "./ShareDialog";
import css from "./Sharing.module.css";

/** The dialog that is open about a link. */
type Opened = { what: "edit" | "renew" | "take-back"; share: Share };

/** The reader's secret links: what each shows, and the ways to change, renew and take it back. */
export default function Links() {
  const query = useQuery(sharesQuery);
  const [isMaking, setMaking] = useState(false);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <>
      <Fetched query={query} waiting="Fetching your links" failed="Your links could not be loaded.">
        {(shares) => (
          <FocusedItems rows={shares} empty={<p className="hint">No links yet.</p>}>
            {shares.map((share) => (
              <One key={share.id} share={share} onOpen={(what) => setOpened({ what, share })} />
            ))}
          </FocusedItems>
        )}
      </Fetched>
      <p className={css.more}>
        <Button size="compact" icon="plus" aria-haspopup="dialog" onClick={() => setMaking(true)}>
          Create link
        </Button>
      </p>
      {isMaking && <ShareDialog onClose={() => setMaking(false)} />}
      {opened?.what === "edit" && <EditDialog share={opened.share} onClose={close} />}
      {opened?.what === "renew" && <RenewDialog share={opened.share} onClose={close} />}
      {opened?.what === "take-back" && <TakeBackDialog share={opened.share} onClose={close} />}
    </>
  );
}

function One({ share, onOpen }: { share: Share; onOpen: (what: Opened["what"]) => void }) {
  const zone = useZone();
  const day = (instant: string) => instantDate(instant, zone);
  const { expiresAt, lastSeen } = share;
  const ended = isEnded(share);
  const facts = [
    shownParts(share),
    lastSeen ? `Last opened on ${day(lastSeen)}` : "Not opened yet",
    expiresAt ? `${ended ? "Ended" : "Ends"} on ${day(expiresAt)}` : "No end date",
  ];
  return (
    <Item
      icon="globe"
      title={shareName(share)}
      badge={ended && <Badge variant="warn">ended</Badge>}
      hint={facts.join(". ")}
      action={
        <Menu trigger={<IconButton icon="dots" label={`Actions for ${shareName(share)}`} compact />}>
          <MenuItem icon="settings" onSelect={() => onOpen("edit")}>
            What it shows
          </MenuItem>
          <MenuItem icon="key" onSelect={() => onOpen("renew")}>
            Renew the link
          </MenuItem>
          <MenuItem icon="trash" destructive onSelect={() => onOpen("take-back")}>
            Take back
          </MenuItem>
        </Menu>
      }
    />
  );
}

interface QuestionProps {
  share: Share;
  onClose: () => void;
}

function RenewDialog({ share, onClose }: QuestionProps) {
  const { mutateAsync } = useRenewShare();
  return (
    <FormDialog
      title="Renew this link?"
      text="You get a new address, and the old one stops working at once."
      label="Renew"
      busy="Renewing..."
      action={() => mutateAsync(share.id)}
      made={shownOnce}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}

function TakeBackDialog({ share, onClose }: QuestionProps) {
  const { mutateAsync } = useTakeBack();
  const takeBack = async () => {
    await mutateAsync(share.id);
    toast({ title: "Link taken back" });
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Take this link back?"
      text={`A person who opens “${shareName(share)}” from now on reads: “This link is not valid any more.”`}
      cancel="Keep it"
      confirm="Take it back"
      busy="Taking it back..."
      action={takeBack}
      failed="Please try again."
    />
  );
}
