import { useQuery } from "@tanstack/react-query";
import { usePasswordLogin } from "../access/site";
import { errorMessage } from "../kit/api/client";
import type { Session } from "../kit/api/types";
import { Badge } from "../kit/ui/Badge";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { Fetched } from "../kit/ui/Fetched";
import { FocusedItems, Item } from "../kit/ui/Items";
import { toast } from "../kit/ui/toast";
import { sessionsQuery, useEndSession } from "./api";
import { useDay } from "./useDay";

/** The reader's open sessions. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const atPassword = usePasswordLogin() ? " Changing the password ends all the others at once." : "";
  return (
    <Block title="Sessions" lead={`Where you are logged in.${atPassword}`}>
      <Fetched query={sessions} waiting="Fetching your sessions" failed="Your sessions could not be loaded.">
        {(data) => (
          <FocusedItems rows={data}>
            {data.map((session) => (
              <One key={session.id} session={session} />
            ))}
          </FocusedItems>
        )}
      </Fetched>
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
