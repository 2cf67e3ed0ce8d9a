/** What the browser must be handed where the policy of the page asks for trusted types; elsewhere the address itself. */
interface ScriptUrlPolicy {
  createScriptURL(address: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | null = null;

/**
 * The address of a script of the program's own, for a worker. A page with `require-trusted-types-for 'script'` takes no other.
 *
 * Throws an error for an address of another origin.
 */
export function ownScript(address: string | URL): string {
  policy ??= makePolicy();
  return policy.createScriptURL(String(address));
}

/** Named `shelfwise`, where the header lists the names that may be made. */
function makePolicy(): ScriptUrlPolicy {
  const rules = { createScriptURL: ofThisOrigin };
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy("shelfwise", rules) ?? rules;
}

function ofThisOrigin(address: string): string {
  if (new URL(address, window.location.href).origin === window.location.origin) return address;
  throw new Error(`Not a script of this program: ${address}`);
}
