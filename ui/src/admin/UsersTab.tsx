import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useIsPrivate, usePasswordLogin, useSite } from "../access/site";
import { errorMessage } from "../kit/api/client";
import type { ListedUser } from "../kit/api/types";
import { counted, whole } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/Fetched";
import { toast } from "../kit/ui/toast";
import { Spinner } from "../kit/ui/Waiting";
import { useDebouncedTransition } from "../kit/useDebouncedTransition";
import { FROM_TABLE, useMedia } from "../kit/useMedia";
import { AddUserDialog } from "./AddUserDialog";
import css from "./Admin.module.css";
import { type UserChange, useChangeUser, useResetLink, usersQuery } from "./api";
import { EVERYONE } from "./model";
import { InviteDialog, ServerInvitations } from "./ServerInvitations";
import { DisableDialog, LinkDialog, PlanDialog, UsageDialog } from "./UserDialogs";
import type { UserActions } from "./UserMenu";
import { UserRows } from "./UserRows";
import { UsersBar } from "./UsersBar";

/** Milliseconds without typing before the search is sent. */
const REST = 300;

/** The users of this server, and what an operator can do about each. */
export function UsersTab() {
  const [filter, setFilter] = useState(EVERYONE);
  const search = useDebouncedTransition(filter.search, REST);
  const users = useInfiniteQuery(usersQuery({ ...filter, search }));
  const isWide = useMedia(FROM_TABLE);
  const isPrivate = useIsPrivate();
  const first = users.data?.pages[0];
  const rows = users.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className="section">
      <AddPeople />
      <ServerInvitations />
      <UsersBar filter={filter} onChange={(part) => setFilter({ ...filter, ...part })} />
      {users.isPending && <Spinner>Fetching the users</Spinner>}
      {users.isError && (
        <NotFetched error={users.error} onRetry={users.refetch}>
          The users could not be loaded.
        </NotFetched>
      )}
      {first && <Listed users={rows} isWide={isWide} />}
      {first?.matching === 0 && (
        <Empty className={css.nobody} title="No users found">
          Try another name, address{isPrivate ? "" : ", plan"} or role.
        </Empty>
      )}
      {first && <Foot shown={rows.length} matching={first.matching} list={users} />}
    </div>
  );
}

/** The buttons that add people. An invitation needs sign-up, and an account that an operator makes needs a password. */
function AddPeople() {
  const { data: site } = useSite();
  const hasPasswords = usePasswordLogin();
  const [asked, setAsked] = useState<"add" | "invite" | null>(null);
  return (
    <div className={css.people}>
      {hasPasswords && (
        <Button variant="primary" onClick={() => setAsked("add")}>
          Add someone
        </Button>
      )}
      {site && site.signup !== "closed" && <Button onClick={() => setAsked("invite")}>Invite</Button>}
      {asked === "add" && <AddUserDialog onClose={() => setAsked(null)} />}
      {asked === "invite" && <InviteDialog onClose={() => setAsked(null)} />}
    </div>
  );
}

interface FootProps {
  shown: number;
  matching: number;
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<{ hasNextPage: boolean }>;
    data?: { pages: readonly { data: readonly unknown[] }[] };
  };
}

/** Shows how many of the matching users are listed, and a button that loads more. */
function Foot({ shown, matching, list }: FootProps) {
  const count = useRef<HTMLSpanElement>(null);
  const next = Math.min(matching - shown, list.data?.pages[0]?.data.length ?? 0);
  const showMore = async () => {
    const { hasNextPage } = await list.fetchNextPage();
    // The button disappears with the last page, so the focus moves to the count.
    if (!hasNextPage) count.current?.focus();
  };
  return (
    <div className={css.more}>
      <span role="status" ref={count} tabIndex={-1}>
        {whole(shown)} of {counted(matching, "user")}
      </span>
      {list.hasNextPage && (
        <Button size="compact" busy={list.isFetchingNextPage && "Fetching..."} onClick={showMore}>
          Show {whole(next)} more
        </Button>
      )}
    </div>
  );
}

/** The listed users, and the dialogs of their actions. */
function Listed({ users, isWide }: { users: readonly ListedUser[]; isWide: boolean }) {
  const [asked, setAsked] = useState<{ about: "plan" | "link" | "disable" | "usage"; user: ListedUser } | null>(null);
  const change = useChangeUser();
  const link = useResetLink();
  const close = () => {
    setAsked(null);
    link.reset();
  };
  const save = async (user: ListedUser, changes: UserChange, title: string) => {
    await change.mutateAsync({ id: user.id, change: changes });
    toast({ title, description: user.displayName });
  };
  const saveOrSay = (user: ListedUser, changes: UserChange, title: string) =>
    save(user, changes, title).catch((error) => {
      const description = errorMessage(error, "Failed to change the account");
      toast({ title: "Update Failed", description, destructive: true });
    });
  const actions: UserActions = {
    onPlan: (user) => setAsked({ about: "plan", user }),
    onRole: (user) => saveOrSay(user, { role: user.role === "admin" ? "user" : "admin" }, "Role Updated"),
    onLink: (user) => {
      link.mutate(user);
      setAsked({ about: "link", user });
    },
    onDisable: (user) => setAsked({ about: "disable", user }),
    onUsage: (user) => setAsked({ about: "usage", user }),
    onEnable: (user) => saveOrSay(user, { disabled: false }, "User enabled"),
  };
  return (
    <>
      {users.length > 0 && <UserRows users={users} isWide={isWide} actions={actions} />}
      {asked?.about === "plan" && (
        <PlanDialog user={asked.user} onChoose={(plan) => save(asked.user, { plan }, "Plan updated")} onClose={close} />
      )}
      {asked?.about === "link" && (
        <LinkDialog user={asked.user} url={link.data?.url} error={link.error} onClose={close} />
      )}
      {asked?.about === "usage" && <UsageDialog user={asked.user} onClose={close} />}
      {asked?.about === "disable" && (
        <DisableDialog
          user={asked.user}
          onConfirm={() => save(asked.user, { disabled: true }, "User disabled")}
          onClose={close}
        />
      )}
    </>
  );
}
