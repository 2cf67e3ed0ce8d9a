/**
 * Whether an address can be the masked one of an invitation: `g…a@example.org` is how greta@example.org begins and ends. The
 * server knows; this only saves somebody a call that must fail.
 */
export function fits(email: string, masked: string): boolean {
  const [begin, end] = masked.toLowerCase().split("…");
  const address = email.trim().toLowerCase();
  if (begin === undefined || end === undefined) return true;
  return address.startsWith(begin) && address.endsWith(end);
}
