import type { MouseEvent } from "react";
import { withBase } from "../kit/base";
import { paths } from "../kit/paths";
import { Block } from "../kit/ui/Block";
import { PlainLinkButton } from "../kit/ui/Button";
import { writeClipboard } from "../kit/ui/CopyField";
import { toast } from "../kit/ui/toast";

/** The ways from pages of other sites to the to-be-read list: the system's share sheet, and a bookmarklet. */
export function FromAnyPage() {
  return (
    <Block
      title="From any page"
      lead="On a phone that has Shelfwise installed, share a page to it. On a computer, drag this to your bookmarks bar."
    >
      {/* React refuses such an address, and this page's policy does not run it: it is for the bookmarks bar. */}
      <PlainLinkButton
        icon="bookmark"
        size="compact"
        href=""
        ref={(link) => link?.setAttribute("href", bookmarklet())}
        onClick={copy}
      >
        To my TBR
      </PlainLinkButton>
    </Block>
  );
}

/** Opens Add to TBR with the page's title, what is marked on it, and its address. */
export function bookmarklet(): string {
  const page = new URL(withBase(paths.addToTbr()), window.location.href).href;
  const shared = "new URLSearchParams({title:document.title,text:getSelection(),url:location.href})";
  return `javascript:void(open('${page}&'+${shared},'_blank','noopener'))`;
}

/** A press can't drag, and some bookmarks are typed. */
async function copy(event: MouseEvent): Promise<void> {
  event.preventDefault();
  const isCopied = await writeClipboard(bookmarklet());
  toast({ title: isCopied ? "Copied. Save it as the address of a bookmark." : "Drag it to your bookmarks bar." });
}
