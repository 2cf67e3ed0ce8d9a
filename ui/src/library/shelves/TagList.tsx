import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TagEntry } from "../../kit/api/types";
import { counted } from "../../kit/format";
import { paths } from "../../kit/paths";
import { bluesByRank } from "../../kit/spine/rank";
import { IconButton, LinkButton } from "../../kit/ui/Button";
import { Empty } from "../../kit/ui/Empty";
import { Icon } from "../../kit/ui/Icon";
import { Link } from "../../kit/ui/Link";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { Menu, MenuItem } from "../../kit/ui/Menu";
import { MoreRows, useShownRows } from "../../kit/ui/MoreRows";
import { Panel } from "../../kit/ui/Panel";
import { useStepFocus } from "../../kit/ui/useStepFocus";
import { optionsQuery, tagsQuery } from "../books/api";
import { tagBooksQuery } from "./api";
import { ListPage } from "./ListPage";
import { firstOfEach, shelfIcon } from "./model";
import css from "./Shelves.module.css";
import { Spines } from "./Spines";
import { useNoShelf } from "./useNoShelf";

const RenameTagDialog = lazyDialog(() => import("./TagDialogs").then((all) => all.RenameTagDialog));
const MergeTagDialog = lazyDialog(() => import("./TagDialogs").then((all) => all.MergeTagDialog));
const ShelfDialog = lazyDialog(() => import("./TagDialogs").then((all) => all.ShelfDialog));
const DeleteTagDialog = lazyDialog(() => import("./TagDialogs").then((all) => all.DeleteTagDialog));

/** What is asked about a tag. */
interface Asked {
  tag: TagEntry;
  about: "rename" | "merge" | "shelf" | "delete";
}

/** Every tag, those that stand as shelves first. */
export function TagList() {
  const list = useQuery(tagsQuery);
  const { data } = list;
  const [asked, setAsked] = useState<Asked | null>(null);
  const shelves = data?.filter(({ shelf }) => shelf) ?? [];
  const close = () => setAsked(null);
  const others = data?.filter(({ name }) => name !== asked?.tag.name) ?? [];
  return (
    <ListPage
      title="Tags"
      about="Your own words for books"
      action={
        <LinkButton variant="quiet" icon="list" href={paths.series()}>
          Series
        </LinkButton>
      }
      list={list}
      empty={
        <Empty title="No tags yet" action={<LinkButton href={paths.dashboard()}>Go to your books</LinkButton>}>
          Tags are your own words for books. Try “owned”.
        </Empty>
      }
    >
      {shelves.length > 0 && (
        <Panel title="Shelves" beside>
          <ul className={css.shelves}>
            {shelves.map((tag) => (
              <Shelf key={tag.name} tag={tag} onAsk={(about) => setAsked({ tag, about })} />
            ))}
          </ul>
        </Panel>
      )}
      {data && data.length > 0 && (
        <Panel title="All tags" beside={shelves.length === 0}>
          <AllTags tags={data} onAsk={setAsked} />
        </Panel>
      )}
      {asked?.about === "rename" && <RenameTagDialog tag={asked.tag} others={others} onClose={close} />}
      {asked?.about === "merge" && <MergeTagDialog tag={asked.tag} others={others} onClose={close} />}
      {asked?.about === "shelf" && <ShelfDialog tag={asked.tag} onClose={close} />}
      {asked?.about === "delete" && <DeleteTagDialog tag={asked.tag} onClose={close} />}
    </ListPage>
  );
}

interface AllTagsProps {
  tags: readonly TagEntry[];
  onAsk: (asked: Asked) => void;
}

function AllTags({ tags, onAsk }: AllTagsProps) {
  // A tag that was renamed, merged or deleted takes the button that had the focus with it.
  const list = useStepFocus<HTMLUListElement>(tags.map(({ name }) => name).join("\n"), { onlyIfLost: true });
  const byName = [...tags].sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
  const rows = useShownRows();
  return (
    <>
      <ul className={css.all} ref={list} tabIndex={-1}>
        {byName.slice(0, rows).map((tag, index) => (
          <li key={tag.name} className={css.tag} data-index={index}>
            <Link href={paths.tags(tag.name)}>
              <bdi dir="auto">{tag.name}</bdi>
            </Link>
            <span className={css.dots} aria-hidden="true" />
            <span className={css.count}>{counted(tag.books, "book")}</span>
            <TagMenu tag={tag} onAsk={(about) => onAsk({ tag, about })} />
          </li>
        ))}
      </ul>
      <MoreRows list={list} shown={rows} total={tags.length} one="tag" />
    </>
  );
}

interface TagProps {
  tag: TagEntry;
  onAsk: (about: Asked["about"]) => void;
}

function TagMenu({ tag, onAsk, ofShelf }: TagProps & { ofShelf?: boolean }) {
  const noShelf = useNoShelf(tag.name);
  const label = ofShelf ? `More for the shelf ${tag.name}` : `More for the tag ${tag.name}`;
  return (
    <Menu align="end" trigger={<IconButton icon="dots" label={label} />}>
      <MenuItem icon="edit" onSelect={() => onAsk("rename")}>
        Rename
      </MenuItem>
      {!ofShelf && (
        <MenuItem icon="copy" onSelect={() => onAsk("merge")}>
          Merge with another tag…
        </MenuItem>
      )}
      <MenuItem icon="list" onSelect={() => onAsk("shelf")}>
        {tag.shelf ? "Another icon" : "Show as a shelf"}
      </MenuItem>
      {tag.shelf && (
        <MenuItem icon="minus" onSelect={noShelf}>
          No longer a shelf
        </MenuItem>
      )}
      <MenuItem icon="trash" destructive onSelect={() => onAsk("delete")}>
        {ofShelf ? "Delete the tag" : "Delete"}
      </MenuItem>
    </Menu>
  );
}

/** More than fit on the board. */
const MOST_SPINES = 60;

function Shelf({ tag, onAsk }: TagProps) {
  const { data: books } = useQuery(tagBooksQuery(tag.name, MOST_SPINES));
  const { data: options } = useQuery(optionsQuery);
  const blueOf = bluesByRank(options?.genres.map(({ name }) => name) ?? []);
  return (
    <li className={css.shelf}>
      <div className={css.shelfHead}>
        <Icon name={shelfIcon(tag.icon)} />
        <Link className={css.name} href={paths.tags(tag.name)}>
          <bdi dir="auto">{tag.name}</bdi>
        </Link>
        <span className="hint">{counted(tag.books, "book")}</span>
        <TagMenu tag={tag} onAsk={onAsk} ofShelf />
      </div>
      <div className={css.spines}>
        {books && <Spines books={firstOfEach(books.data)} blueOf={blueOf} width={384} height={70} scale={0.2} />}
      </div>
      <div className={css.plank} />
    </li>
  );
}
