import { useEffect, useState, useSyncExternalStore } from "react";
import { entryKeys, subscribeToOutbox } from "../../access/outbox";
import { useUser } from "../../access/viewer";

type Parts = typeof import("./parts");

/** What this browser keeps, for a page that loads the outbox only with the first mutation; null before that. */
export function useLazyOutbox() {
  const { id } = useUser();
  const isKept = useSyncExternalStore(subscribeToOutbox, () => entryKeys(id).length > 0);
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    // Without a network the code may not arrive. The mutations are kept, and the next page tries again.
    if (isKept) import("./parts").then(setParts).catch(console.warn);
  }, [isKept]);
  const queue = useSyncExternalStore(subscribeToOutbox, () => parts?.queueOf(id));
  return parts && queue ? { ...parts, queue } : null;
}
