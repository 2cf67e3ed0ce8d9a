import { PLAN_NAMES, useSubscription } from "../../access/subscription";
import type { ImportPreview } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Banner } from "../../kit/ui/Alert";
import { LinkButton } from "../../kit/ui/Button";
import { roomLeft } from "./model";
import { capNotice } from "./texts";

/** Says before the import that the plan has no room for all books of a file. */
export function CapNotice({ preview }: { preview: ImportPreview }) {
  const { data } = useSubscription();
  const room = data ? roomLeft(preview, data.limits) : null;
  if (!data || room === null) return null;
  return (
    <Banner
      action={
        <LinkButton size="compact" href={paths.pricing()}>
          Upgrade
        </LinkButton>
      }
    >
      {capNotice(PLAN_NAMES[data.subscription.plan], room, preview.beyondLimit ?? 0)}
    </Banner>
  );
}
