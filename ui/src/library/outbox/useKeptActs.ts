import { useEffect, useState, useSyncExternalStore } from "react";
import { actKeys, subscribeToActs } from "../../access/outbox";
import { useUser } from "../../access/viewer";

type Parts = typeof import("./parts");

/** What this browser keeps, for a page that loads the outbox only with the first act; null before that. */
export function useKeptActs() {
  const { id } = useUser();
  const isKept = useSyncExternalStore(subscribeToActs, () => actKeys(id).length > 0);
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    // Without a network the code may not arrive. The acts are kept, and the next page tries again.
    if (isKept) import("./parts").then(setParts).catch(console.warn);
  }, [isKept]);
  const acts = useSyncExternalStore(subscribeToActs, () => parts?.actsOf(id));
  return parts && acts ? { Outbox: parts.Outbox, acts } : null;
}
