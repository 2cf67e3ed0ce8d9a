/** The first run: the code that the server printed, and what it opens. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { siteQuery } from "../access/site";
import { signedIn } from "../access/viewer";
import { ApiError, api, fieldsOf } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { ServerSettings } from "../kit/api/types";
import { browserTimeZone } from "../kit/format";

/** The answers of the form. An empty text is not an answer. */
export interface SetupAnswers {
  code: string;
  displayName: string;
  email: string;
  password: string;
  instance: ServerSettings["instance"];
  name: string;
  publicUrl: string;
  signup: ServerSettings["signup"];
  backupTo: string;
}

/** Whether a code sets up the server. The server answers 404 to any other, and to every code once it is set up. */
export const setupCodeQuery = (code: string) =>
  queryOptions({
    queryKey: keys.setup(code),
    queryFn: async ({ signal }) => {
      await api.get("/api/setup/{code}", { path: { code }, signal });
      return true;
    },
    retry: false,
    // A used code must not be asked about again: it would count as a guess.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Makes the first operator, who is then signed in, and stores the answers. */
export function useSetUp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ code, ...answers }: SetupAnswers) =>
      api.post("/api/setup/{code}", { ...answers, timezone: browserTimeZone() }, { path: { code: code.trim() } }),
    onSuccess: async ({ user }) => {
      signedIn(client, user);
      await client.invalidateQueries({ queryKey: siteQuery.queryKey });
    },
    // The first attempt may have used up the code.
    retry: false,
  });
}

/** Asks about a folder for backups, before the form is sent. */
export function checkFolder(code: string, to: string) {
  return api.post("/api/setup/{code}/backup-folder", { to }, { path: { code: code.trim() } });
}

/** What the page says about a code that the server does not know. */
export const WRONG_CODE =
  "This is not the code that the server printed last, or the server is already set up. Look at its output, or run: shelfwise setup-code";

/** A sentence for each refused field of the form. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  if (error.status === 404) return { code: WRONG_CODE };
  if (error.code === "email_taken") return { email: error.message };
  if (error.code !== "setting_fixed") return fieldsOf(error);
  return {
    [error.bodyText("setting")]:
      "The server’s configuration sets this to another value. Enter that value here, or change the configuration.",
  };
}
