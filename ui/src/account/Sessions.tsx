import { useQuery } from "@tanstack/react-query";
import { usePasswordLogin } from "../access/site";
import { errorMessage } from "../kit/api/client";
import type { Session } from "../kit/api/types";
import { Badge } from "../kit/ui/Badge";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { FocusedItems, Item } from "../kit/ui/Items";
import { NotFetched } from "../kit/ui/NotFetched";
import { toast } from "../kit/ui/toast";
import { Spinner } from "../kit/ui/Waiting";
import { sessionsQuery, useEndSession } from "./api";
import { useDay } from "./useDay";

/** The reader's open sessions. */
export function Sessions() {
  const { data: sessions, isError, refetch } = useQuery(sessionsQuery);
  const atPassword = usePasswordLogin() ? " Changing the password ends all the others at once." : "";
  return (
    <Block title="Sessions" lead={`Where you are logged in.${atPassword}`}>
      {isError && <NotFetched onRetry={refetch}>Your sessions could not be loaded.</NotFetched>}
      {!isError && !sessions && <Spinner>Fetching your sessions</Spinner>}
      {sessions && (
        <FocusedItems rows={sessions}>
          {sessions.map((session) => (
            <One key={session.id} session={session} />
          ))}
        </FocusedItems>
      )}
    </Block>
  );
}

function One({ session }: { session: Session }) {
  const end = useEndSession();
  const day = useDay();
  const { device, place, ipAddress, createdAt, lastSeen, current } = session;
  return (
    <Item
      icon={/iOS|iPhone|iPad|Android|phone/i.test(device) ? "phone" : "laptop"}
      title={device}
      badge={current && <Badge>this one</Badge>}
      hint={`${place ?? ipAddress}. ${current ? `Logged in ${day(createdAt)}` : `Last seen ${day(lastSeen)}`}`}
      action={
        !current && (
          <Button
            variant="quiet"
            size="compact"
            aria-label={`End the session on ${device}`}
            busy={end.isPending && "Ending..."}
            onClick={() =>
              end.mutate(session, {
                onSuccess: () => toast({ title: "Session ended" }),
                onError: (error) =>
                  toast({
                    title: "Error",
                    description: errorMessage(error, "Failed to end the session"),
                    destructive: true,
                  }),
              })
            }
          >
            End
          </Button>
        )
      }
    />
  );
}
