import type { ComponentProps, MouseEvent } from "react";
import { withBase } from "../base";
import { openPage } from "../origin";

type LinkProps = ComponentProps<"a"> & { href: string };

/**
 * A link within the interface. Unlike the router's own link it does not subscribe to the address, because a page may
 * have hundreds of links.
 */
export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0;
    if (elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    openPage(href);
  };
  return <a {...rest} href={withBase(href)} onClick={follow} />;
}
