import { useSite } from "../access/site";
import type { Site } from "../kit/api/types";

/** Whom people ask on this server, with an address when the operator has set a contact that can be linked to. */
export function contactOf(site: Site | undefined): { name: string; href?: string } {
  const name = site?.operator ?? "the operator of this server";
  const contact = site?.contact;
  if (!contact) return { name };
  if (/^https?:\/\//.test(contact)) return { name: site.operator ?? contact, href: contact };
  return contact.includes("@") ? { name: contact, href: `mailto:${contact}` } : { name: contact };
}

/** Names the person to ask about plans on this server. */
export function AskOperator() {
  const { name, href } = contactOf(useSite().data);
  return href ? <a href={href}>{name}</a> : name;
}
