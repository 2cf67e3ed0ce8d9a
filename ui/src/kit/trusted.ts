/**
 * Creates script addresses. With trusted types in the browser they are of the type that the page's policy requires,
 * otherwise plain strings.
 */
interface ScriptUrlPolicy {
  createScriptURL(address: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | null = null;

/**
 * The address of one of the program's own scripts, for a worker. A page with `require-trusted-types-for 'script'`
 * accepts no other value. Throws an error for an address of another origin.
 */
export function ownScript(address: string | URL): string {
  policy ??= makePolicy();
  return policy.createScriptURL(String(address));
}

/** The policy is named `shelfwise`, the only name that the page's header allows. */
function makePolicy(): ScriptUrlPolicy {
  const rules = { createScriptURL: ofThisOrigin };
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return trustedTypes?.createPolicy("shelfwise", rules) ?? rules;
}

function ofThisOrigin(address: string): string {
  if (new URL(address, window.location.href).origin === window.location.origin) return address;
  throw new Error(`Not a script of this program: ${address}`);
}
