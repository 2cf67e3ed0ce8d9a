import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { entryKeys } from "../access/outbox";
import { usePreferences, useSavePreferences } from "../access/preferences";
import { useAfterLogOut, useIsPrivate } from "../access/site";
import { useTeam } from "../access/subscription";
import { useUser } from "../access/viewer";
import type { Unsaved } from "../account/api";
import { leave, leaveAnyway } from "../kit/leaving";
import { paths } from "../kit/paths";
import "../kit/styles/fonts-other.css";
import "../kit/styles/print.css";
import { followServer } from "../kit/theme";
import { IconButton } from "../kit/ui/Button";
import { Icon } from "../kit/ui/Icon";
import { Link } from "../kit/ui/Link";
import { lazyDialog } from "../kit/ui/lazyPart";
import { Menu, MenuItem, MenuLink } from "../kit/ui/Menu";
import { bringToMiddle } from "../kit/ui/middle";
import { ThemeButton } from "../kit/ui/ThemeButton";
import { Topbar } from "../kit/ui/Topbar";
import { DisplayFilter } from "../preferences/DisplayFilter";
import { OfflineLine } from "./OfflineLine";
import css from "./Shell.module.css";

// Needed once, at the end. It includes the page for a failed log-out, which could not be loaded without a network.
const loadLogOut = () =>
  Promise.all([import("../account/api"), import("../account/LogOutFailed"), import("../account/LogOutQuestion")]);
const SearchDialog = lazyDialog(() => import("../find/SearchDialog").then((all) => all.SearchDialog));
const LogOutQuestion = lazyDialog(() => import("../account/LogOutQuestion").then((all) => all.default));

/** The frame of every page for readers: links, theme, and the account menu. */
export default function Shell({ children }: { children: ReactNode }) {
  const { data: preferences } = usePreferences();
  const save = useSavePreferences();
  const theme = preferences?.theme ?? null;
  useEffect(() => followServer(theme), [theme]);
  useOutbox();

  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Topbar home={paths.dashboard()} nav={<Nav />}>
        <div className={css.end}>
          <Search />
          <ThemeButton onChoose={(chosen) => save.mutate({ theme: chosen })} />
          <UserMenu />
        </div>
      </Topbar>
      <OfflineLine />
      <DisplayFilter />
      {children}
    </>
  );
}

/** Sends what the reader did without a network, if this browser keeps anything. */
function useOutbox() {
  const client = useQueryClient();
  const { id } = useUser();
  useEffect(() => {
    if (entryKeys(id).length === 0) return;
    // Without a network its code may not arrive either. The next page tries again.
    import("../library/outbox/deliver").then(({ startDelivery }) => startDelivery(client, id)).catch(console.warn);
  }, [client, id]);
}

/** Opens the search, by a button and by the key /. */
function Search() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const types = target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
      const isPlain = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      if (!isPlain || event.defaultPrevented || types || document.querySelector("[role$=dialog]")) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <IconButton
        icon="search"
        label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts="/"
        onClick={() => setOpen(true)}
      />
      {isOpen && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function Nav() {
  const [path] = useLocation();
  const { data: team } = useTeam();
  const isPrivate = useIsPrivate();
  const { role } = useUser();
  const nav = useRef<HTMLElement>(null);
  const links = [
    { href: paths.dashboard(), label: "Dashboard" },
    { href: paths.reading(), label: "Reading" },
    { href: paths.addBook(), label: "Add Book" },
    { href: paths.tbr(), label: "TBR" },
    { href: paths.import(), label: "Import" },
    // On a private server every reader may start a team, on its page.
    ...(team || isPrivate ? [{ href: paths.team(), label: "Team" }] : []),
    ...(role === "admin" ? [{ href: paths.admin(), label: "Admin" }] : []),
  ];

  // On phones the links scroll: the current one is brought into the middle, also when Team appears beside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address and the number of links move the current one
  useEffect(() => {
    bringToMiddle(nav.current, "[aria-current]");
  }, [path, links.length]);

  return (
    <nav className={css.nav} aria-label="Main" ref={nav}>
      <ul>
        {links.map(({ href, label }) => (
          <li key={href}>
            <Link href={href} aria-current={href === path ? "page" : path.startsWith(`${href}/`) || undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function UserMenu() {
  const { id, displayName, email } = useUser();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const afterwards = useAfterLogOut();
  const [unsaved, setUnsaved] = useState<Unsaved | null>(null);
  const logOutNow = () => loadLogOut().then(([{ logOut }]) => logOut(client, () => navigate(afterwards)));
  const ask = async () => {
    const [{ unsavedOf }] = await loadLogOut();
    const kept = unsavedOf(id);
    if (kept) setUnsaved(kept);
    else leave(logOutNow, { erases: true });
  };
  const trigger = (
    <button className={css.user} type="button">
      <span className={css.monogram} aria-hidden="true">
        {Array.from(displayName)[0]}
      </span>
      <span className={css.name}>My Account</span>
      <Icon name="chevron" small />
    </button>
  );
  const head = (
    <>
      <span className="label">{displayName}</span>
      <span className="hint">{email}</span>
    </>
  );
  return (
    <>
      <Menu trigger={trigger} head={head}>
        <MenuLink icon="settings" href={paths.account()}>
          Account Settings
        </MenuLink>
        <MenuLink icon="list" href={paths.series()}>
          Series
        </MenuLink>
        <MenuLink icon="tag" href={paths.tags()}>
          Tags
        </MenuLink>
        <MenuItem icon="logout" onSelect={ask}>
          Log Out
        </MenuItem>
        <LogOutAhead />
      </Menu>
      {unsaved && (
        <LogOutQuestion unsaved={unsaved} onClose={() => setUnsaved(null)} onConfirm={() => leaveAnyway(logOutNow)} />
      )}
    </>
  );
}

/** Fetches the code of the log-out while the menu is open. */
function LogOutAhead() {
  useEffect(() => {
    // A failure shows when the item is chosen.
    loadLogOut().catch(() => undefined);
  }, []);
  return null;
}
