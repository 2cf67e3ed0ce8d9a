import { useLocation } from "wouter";
import { shownPath } from "../../kit/base";

/**
 * The name in the address `/series/{name}` or `/tags/{name}`; undefined in the addresses of the lists. The router decodes
 * a part of the signs only, so the name is read from the address itself.
 */
export function useName(): string | undefined {
  useLocation();
  const part = shownPath().split("/")[2];
  if (!part) return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
