import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "../kit/api/client";
import type { Source } from "../kit/api/types";
import { Badge } from "../kit/ui/Badge";
import { Block } from "../kit/ui/Block";
import { Button, IconButton } from "../kit/ui/Button";
import { Field, Input } from "../kit/ui/Field";
import { FormDialog } from "../kit/ui/FormDialog";
import { Item, Items } from "../kit/ui/Items";
import { Menu, MenuItem } from "../kit/ui/Menu";
import { toast } from "../kit/ui/toast";
import { sourcesQuery, useConnectSource, useDisconnectSource } from "./sources";
import { useDay } from "./useDay";

/** The media servers that report what the reader listens to. It shows nothing where the operator has named none. */
export function Sources() {
  const { data } = useQuery(sourcesQuery);
  const [connecting, setConnecting] = useState<Source>();
  if (!data?.length) return null;
  return (
    <Block title="Sources" lead="Servers that Shelfwise asks for you every 15 minutes. Nothing is written there.">
      <Items>
        {data.map((source) => (
          <One key={source.name} source={source} onConnect={() => setConnecting(source)} />
        ))}
      </Items>
      {connecting && <KeyDialog source={connecting} onClose={() => setConnecting(undefined)} />}
    </Block>
  );
}

function One({ source, onConnect }: { source: Source; onConnect: () => void }) {
  const { name, title, connected, lastPolledAt, error } = source;
  const { mutate, isPending } = useDisconnectSource();
  const day = useDay();
  const disconnect = () =>
    mutate(name, {
      onSuccess: () => toast({ title: `${title} disconnected`, description: "What it has reported stays." }),
      onError: (failure) =>
        toast({ title: "Error", description: errorMessage(failure, "Failed to disconnect"), destructive: true }),
    });
  const last = lastPolledAt
    ? `Last report ${day(lastPolledAt)}`
    : error === null && "Connected. The first report is on its way";
  return (
    <Item
      icon="audio"
      title={<bdi>{title}</bdi>}
      badge={error && <Badge variant="warn">no report</Badge>}
      hint={connected ? [error, last].filter(Boolean).join(" ") : "Not connected"}
      action={
        connected ? (
          <Menu trigger={<IconButton icon="dots" label={`Actions for ${title}`} compact />}>
            <MenuItem icon="key" onSelect={onConnect}>
              Change the key
            </MenuItem>
            <MenuItem icon="x" disabled={isPending} onSelect={disconnect}>
              Disconnect
            </MenuItem>
          </Menu>
        ) : (
          <Button size="compact" aria-label={`Connect ${title}`} onClick={onConnect}>
            Connect
          </Button>
        )
      }
    />
  );
}

function KeyDialog({ source: { name, title }, onClose }: { source: Source; onClose: () => void }) {
  const [key, setKey] = useState("");
  const { mutateAsync } = useConnectSource();
  return (
    <FormDialog
      title={title}
      text="Paste your API key. In Audiobookshelf: Settings, API Keys; its admin makes one for you."
      label="Connect"
      busy="Connecting..."
      action={() => mutateAsync({ name, key })}
      onClose={onClose}
    >
      <Field label="API key" name="key" hint="It is kept encrypted, and only used to ask this server.">
        <Input
          required
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}
