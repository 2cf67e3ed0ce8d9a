import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useIsPrivate } from "../access/site";
import { useSubscription } from "../access/subscription";
import { ApiError } from "../kit/api/client";
import { counted } from "../kit/format";
import { paths } from "../kit/paths";
import { Block, DangerRow, DangerRows } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { AlertDialog } from "../kit/ui/Dialog";
import { Field, Input } from "../kit/ui/Field";
import { toast } from "../kit/ui/toast";
import { tbrQuery } from "../library/tbr/api";
import { logOut, useDeleteAccount, useDeleteData } from "./api";

/** Actions that cannot be undone. */
export function DangerZone() {
  const [open, setOpen] = useState<"data" | "account" | null>(null);
  const { data: current } = useSubscription();
  const { data: items } = useQuery({ ...tbrQuery, select: ({ data }) => data.length });
  const books = current?.limits.bookCount;
  const counts = books !== undefined && items !== undefined ? { books, items } : null;
  const removed = counts
    ? `${counted(counts.books, "book")} and ${counted(counts.items, "TBR item")}`
    : "every book and TBR item";
  return (
    <Block title="Danger Zone" lead="Both of these are permanent. Export your books first if you may want them back.">
      <DangerRows>
        <DangerRow title="Delete all data" hint={`Removes ${removed}. Your account stays.`}>
          <Button variant="danger-outline" disabled={!counts} onClick={() => setOpen("data")}>
            Delete all data
          </Button>
        </DangerRow>
        <DangerRow title="Delete account" hint="Removes your account and everything in it.">
          <Button variant="danger" onClick={() => setOpen("account")}>
            Delete account
          </Button>
        </DangerRow>
      </DangerRows>
      {open === "data" && counts && <DeleteData {...counts} onClose={() => setOpen(null)} />}
      {open === "account" && <DeleteAccount onClose={() => setOpen(null)} />}
    </Block>
  );
}

/** Asks a second time: the reader types the number of books. */
function DeleteData({ books, items, onClose }: { books: number; items: number; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const erase = useDeleteData();
  const confirm = async () => {
    await erase.mutateAsync();
    toast({ title: "Data deleted" });
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete all data?"
      text={`${counted(books, "book")}, with quotes and impressions, ${counted(items, "TBR item")}, your goals and your secret links will be removed. This cannot be undone.`}
      cancel="Keep my data"
      confirm="Delete all data"
      disabled={typed.trim() !== String(books)}
      busy="Deleting..."
      failed="Failed to delete the data"
      action={confirm}
    >
      <div className="form">
        <Field label={`Type the number of books to confirm: ${books}`}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </div>
    </AlertDialog>
  );
}

/** Reasons why an account can't be deleted now, and the page where the reader can change that. */
const STAYS: Partial<Record<ApiError["code"], { title: string; confirm: string; to: string }>> = {
  team_has_members: { title: "Hand over your team first", confirm: "Go to Team", to: paths.team() },
  last_operator: { title: "You are the only operator", confirm: "Go to Users", to: paths.admin("users") },
};

function DeleteAccount({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const isPrivate = useIsPrivate();
  const { data: current } = useSubscription();
  const pays = !isPrivate && current?.subscription.source === "stripe";
  const erase = useDeleteAccount();
  const stays = erase.error instanceof ApiError ? STAYS[erase.error.code] : undefined;
  const confirm = async () => {
    if (stays) {
      navigate(stays.to);
      return;
    }
    await erase.mutateAsync();
    toast({ title: "Account deleted" });
    logOut(client, () => navigate(paths.landing()));
  };
  return (
    <AlertDialog
      onClose={onClose}
      title="Delete your account?"
      text={`Your account, your books and your TBR list will be removed, ${pays ? "your subscription ends, " : ""}and you will be logged out. This cannot be undone.`}
      cancel="Keep account"
      confirm={stays?.confirm ?? "Delete account"}
      destructive={!stays}
      busy="Deleting..."
      failed="Failed to delete the account"
      failedTitle={stays?.title}
      action={confirm}
    />
  );
}
