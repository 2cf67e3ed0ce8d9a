import { useSite } from "../access/site";

/** Names the person to ask about plans on this server, with an e-mail link when the operator has set a contact. */
export function AskOperator() {
  const { data: site } = useSite();
  const contact = site?.contact;
  if (!contact) return site?.operator ?? "the operator of this server";
  if (/^https?:\/\//.test(contact)) return <a href={contact}>{site.operator ?? contact}</a>;
  if (contact.includes("@")) return <a href={`mailto:${contact}`}>{contact}</a>;
  return contact;
}
