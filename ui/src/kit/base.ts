/** The path below which the server serves everything: `/books`; "" at the root. Empty also while the build renders pages. */
export const BASE = typeof document === "undefined" ? "" : (document.documentElement.dataset.base ?? "");

/** The address of a page or a call of this server as the browser needs it. Any other address, as of a chosen picture, stays. */
export function withBase(address: string): string {
  return address.startsWith("/") ? BASE + address : address;
}

/** The path of the shown page as {@link paths} has it, without the base. */
export function shownPath(): string {
  return window.location.pathname.slice(BASE.length) || "/";
}
