import { contactOf } from "../billing/AskOperator";
import type { Site } from "../kit/api/types";

/** What a legal text may say of the server, by the names of its placeholders. */
function factsOf(site: Site | undefined): Readonly<Record<string, string | boolean>> {
  const { name, href } = contactOf(site);
  const isPrivate = site?.instance === "private";
  return {
    operator: literal(site?.operator ?? "the operator of this server"),
    contact: href ? `[${literal(name)}](<${href}>)` : literal(name),
    law: literal(site?.governingLaw ?? "the law of the place where the operator of this server is established"),
    plans: !isPrivate,
    // A private server may have sold plans before. As long as it can reach the payment provider, it may hold their records.
    payments: !(isPrivate && site?.billing === false),
  };
}

/** A text that Markdown shows as it is. */
const literal = (text: string) => text.replace(/[\\`*_{}[\]()<>#+!|~-]/g, "\\$&");

export interface LegalText {
  title: string;
  /** A line below the title. */
  updated: string | undefined;
  /** Markdown, as the bodies are. */
  intro: string;
  sections: readonly { title: string; body: string }[];
}

/**
 * Reads a legal text: Markdown with a title, a line in italics, an introduction, and sections that begin with headings of the second
 * level. `{{operator}}` stands for a fact; what is between `{{#plans}}` and `{{/plans}}` holds where there are plans, and from
 * `{{^plans}}` where there are none.
 */
export function legalText(markdown: string, site: Site | undefined): LegalText {
  const facts = factsOf(site);
  const text = markdown
    // A line with nothing but the begin or the end of such a part is no line of the text.
    .replace(/^(\{\{[#^/]\w+\}\})\n/gm, "$1")
    .replace(/\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs, (_, sign, name, part) =>
      (sign === "#") === Boolean(facts[name]) ? part : "",
    )
    .replace(/\{\{(\w+)\}\}/g, (_, name) => String(facts[name] ?? ""));
  const [head = "", ...sections] = text.split(/^## /m);
  const [, title = "", updated, intro = ""] = /^# (.*)\n+(?:\*(.*)\*\n+)?([\s\S]*)/.exec(head) ?? [];
  return {
    title,
    updated,
    intro,
    sections: sections.map((section) => {
      const end = section.indexOf("\n");
      return { title: section.slice(0, end), body: section.slice(end) };
    }),
  };
}
