/**
 * The only addresses of scripts and workers that the page's policy lets through: this server's own. The policy
 * `require-trusted-types-for 'script'` refuses a text where the browser would run it; React and the interface need no other.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(text: string): string }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

trustedTypes?.createPolicy("default", {
  createScriptURL(text) {
    if (new URL(text, location.href).origin === location.origin) return text;
    throw new TypeError(`${text} is not an address of this server.`);
  },
});

export {};
