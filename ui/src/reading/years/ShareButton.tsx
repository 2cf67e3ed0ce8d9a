import { useState } from "react";
import { useSite } from "../../access/site";
import { Button } from "../../kit/ui/Button";
import { lazyDialog } from "../../kit/ui/lazyPart";

const ShareDialog = lazyDialog(() => import("../../sharing/ShareDialog").then((all) => all.default));

/** Opens the dialog that makes a secret link to a period, on servers that have links. */
export function ShareButton({ period }: { period: string }) {
  const { data: site } = useSite();
  const [open, setOpen] = useState(false);
  if (!site?.shares) return null;
  return (
    <>
      <Button icon="globe" onClick={() => setOpen(true)}>
        Share
      </Button>
      {open && <ShareDialog period={period} onClose={() => setOpen(false)} />}
    </>
  );
}
