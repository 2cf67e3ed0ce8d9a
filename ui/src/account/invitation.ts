/**
 * Whether an address can be the masked address of an invitation: `g…a@example.org` stands for greta@example.org. The
 * server decides; this check only avoids a call that must fail.
 */
export function fits(email: string, masked: string): boolean {
  const [begin, end] = masked.toLowerCase().split("…");
  const address = email.trim().toLowerCase();
  if (begin === undefined || end === undefined) return true;
  return address.startsWith(begin) && address.endsWith(end);
}
