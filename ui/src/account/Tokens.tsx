import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePasswordLogin } from "../access/site";
import { errorMessage } from "../kit/api/client";
import type { ApiToken } from "../kit/api/types";
import { Badge } from "../kit/ui/Badge";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { Fetched } from "../kit/ui/Fetched";
import { FocusedItems, Item } from "../kit/ui/Items";
import { toast } from "../kit/ui/toast";
import css from "./Account.module.css";
import { NewTokenDialog } from "./TokenDialogs";
import { tokensQuery, useRevokeToken } from "./tokens";
import { useDay } from "./useDay";

/** The API tokens that the reader's scripts sign in with. */
export function Tokens() {
  const tokens = useQuery(tokensQuery);
  const [making, setMaking] = useState(false);
  const atPassword = usePasswordLogin() ? " When you change your password, you choose whether your tokens stay." : "";
  return (
    <Block
      title="API tokens"
      lead={`For your own scripts. A token can do what you can, within its access, until it expires or you revoke it.${atPassword}`}
    >
      <Fetched query={tokens} waiting="Fetching your tokens" failed="Your tokens could not be loaded.">
        {(data) => (
          <FocusedItems rows={data} empty={null}>
            {data.map((token) => (
              <One key={token.id} token={token} />
            ))}
          </FocusedItems>
        )}
      </Fetched>
      <Button icon="plus" size="compact" className={css.more} onClick={() => setMaking(true)}>
        Create token
      </Button>
      {making && <NewTokenDialog onClose={() => setMaking(false)} />}
    </Block>
  );
}

function One({ token }: { token: ApiToken }) {
  const revoke = useRevokeToken();
  const day = useDay();
  const { name, access, lastUsedAt, expiresAt } = token;
  const isOver = expiresAt !== undefined && new Date(expiresAt) <= new Date();
  const facts = [
    access === "read" ? "Read only" : "Read and write",
    lastUsedAt ? `Last used ${day(lastUsedAt)}` : "Never used",
    expiresAt && `${isOver ? "Ended" : "Ends"} ${day(expiresAt)}`,
  ];
  return (
    <Item
      icon="key"
      title={name}
      badge={isOver && <Badge variant="warn">ended</Badge>}
      hint={facts.filter(Boolean).join(". ")}
      action={
        <Button
          variant="quiet"
          size="compact"
          aria-label={`Revoke the token ${name}`}
          busy={revoke.isPending && "Revoking..."}
          onClick={() =>
            revoke.mutate(token, {
              onSuccess: () => toast({ title: "Token revoked" }),
              onError: (error) =>
                toast({
                  title: "Error",
                  description: errorMessage(error, "Failed to revoke the token"),
                  destructive: true,
                }),
            })
          }
        >
          Revoke
        </Button>
      }
    />
  );
}
