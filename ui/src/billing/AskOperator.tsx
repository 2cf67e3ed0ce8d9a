import { useSite } from "../access/site";

/** Whom to ask about plans on this server: a link to write to where the operator has named one. */
export function AskOperator() {
  const { data: site } = useSite();
  const contact = site?.contact;
  if (!contact) return site?.operator ?? "the operator of this server";
  if (/^https?:\/\//.test(contact)) return <a href={contact}>{site.operator ?? contact}</a>;
  if (contact.includes("@")) return <a href={`mailto:${contact}`}>{contact}</a>;
  return contact;
}
