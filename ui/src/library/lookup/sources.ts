import type { FoundBook, LookupOutcome } from "../../kit/api/types";
import { and } from "../../kit/format";
import type { IconName } from "../../kit/ui/Icon";

/** The names of the catalogues that readers see. */
const NAMES: Record<string, string> = {
  catalogue: "Catalog on this server",
  openlibrary: "openlibrary.org",
  dnb: "Deutsche Nationalbibliothek",
  bnf: "Bibliothèque nationale de France",
  loc: "Library of Congress",
  ndl: "National Diet Library",
  hardcover: "Hardcover",
  google: "Google Books",
};

/** The name of a catalogue that readers see. */
export const sourceName = (name: string): string => NAMES[name] ?? name;

/** How a catalogue answered: its icon, its color and its words. */
export interface SourceLine {
  name: string;
  icon: IconName;
  state: "ok" | "none" | "bad" | "off";
  text: string;
}

/** One line for each catalogue that was asked. */
export function sourceLines(
  sources: readonly { name: string; outcome: LookupOutcome }[],
  found: readonly FoundBook[],
): SourceLine[] {
  return sources.map(({ name, outcome }) => {
    const count = found.filter(({ source }) => source === name).length;
    return { name, ...said(outcome, count, sourceName(name)) };
  });
}

function said(outcome: LookupOutcome, count: number, name: string): Omit<SourceLine, "name"> {
  switch (outcome) {
    case "ok":
      return { icon: "ok", state: "ok", text: `${name}: ${count} found` };
    case "empty":
      return { icon: "minus", state: "none", text: `${name}: nothing found` };
    case "limited":
      return { icon: "alert", state: "bad", text: `${name}: asked too often just now, try again in a minute` };
    case "timeout":
      return { icon: "alert", state: "bad", text: `${name}: did not answer` };
    case "error":
      return { icon: "alert", state: "bad", text: `${name}: gave no answer that can be read` };
    case "off":
      return { icon: "x", state: "off", text: `${name}: off` };
  }
}

/**
 * Says where a question goes: "Asks openlibrary.org through this server. It learns the title, not who you are." With a
 * catalogue on the server it says what is asked while typing, and what after a press.
 */
export function whoIsAsked(hosts: readonly string[], isOffline = false): string {
  if (!isOffline) return `Asks ${outside(hosts)}`;
  const typing = "The catalog on this server answers while you type, and nothing leaves the server.";
  return hosts.length > 0 ? `${typing} "Look up" asks ${outside(hosts)}` : typing;
}

function outside(hosts: readonly string[]): string {
  return `${and(hosts)} through this server. ${hosts.length > 1 ? "They learn" : "It learns"} the title, not who you are.`;
}
