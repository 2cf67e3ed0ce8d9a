import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { withQuery } from "../../kit/api/client";
import { paths } from "../../kit/paths";
import { Icon } from "../../kit/ui/Icon";
import { lazyDialog } from "../../kit/ui/lazyPart";
import { Menu, MenuItem, MenuLink, MenuRule } from "../../kit/ui/Menu";
import { type Filter, parseFilter, toQuery } from "../filters/filter";
import { viewsQuery } from "./api";
import css from "./Views.module.css";

const SaveView = lazyDialog(() => import("./ViewDialogs").then((all) => all.SaveView));
const EditViews = lazyDialog(() => import("./ViewDialogs").then((all) => all.EditViews));

/** A filter as views keep it: the query of the dashboard's address, in one order. */
const written = (filter: Filter): string => withQuery("", toQuery(filter)).slice(1);

/** The saved filters, in a menu beside the filter bar, with the name of the one that is shown. */
export function ViewMenu({ filter }: { filter: Filter }) {
  const { data: views = [] } = useQuery(viewsQuery);
  const [opened, setOpened] = useState<"save" | "edit" | null>(null);
  const shown = written(filter);
  const current = views.find(({ query }) => written(parseFilter(query)) === shown);
  const name = current?.name ?? (shown === "" ? "All books" : "Views");
  const canSave = shown !== "" && !current;
  const close = () => setOpened(null);
  if (views.length === 0 && !canSave && !opened) return null;
  return (
    <>
      <Menu
        trigger={
          <button className={css.button} type="button" aria-label={`View: ${name}`}>
            <Icon name="bookmark" />
            <span className={css.name} dir="auto">
              {name}
            </span>
            <Icon name="chevron" small />
          </button>
        }
      >
        <MenuLink icon={shown === "" ? "check" : "book"} href={paths.dashboard()}>
          All books
        </MenuLink>
        {views.map(({ name, query, position }) => (
          <MenuLink
            key={name}
            icon={name === current?.name ? "check" : position !== null ? "pin" : "bookmark"}
            href={`${paths.dashboard()}?${query}`}
          >
            <span dir="auto">{name}</span>
          </MenuLink>
        ))}
        <MenuRule />
        {canSave && (
          <MenuItem icon="plus" onSelect={() => setOpened("save")}>
            Save as view
          </MenuItem>
        )}
        {views.length > 0 && (
          <MenuItem icon="edit" onSelect={() => setOpened("edit")}>
            Edit views
          </MenuItem>
        )}
      </Menu>
      {opened === "save" && <SaveView query={shown} onClose={close} />}
      {opened === "edit" && <EditViews onClose={close} />}
    </>
  );
}
