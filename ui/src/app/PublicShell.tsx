import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useIsPrivate, useOffersSignUp } from "../access/site";
import { paths } from "../kit/paths";
import { LinkButton } from "../kit/ui/Button";
import { ThemeButton } from "../kit/ui/ThemeButton";
import { Topbar } from "../kit/ui/Topbar";
import css from "./PublicShell.module.css";

/** The frame of pages for visitors. */
export function PublicShell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const isPrivate = useIsPrivate();
  const offersSignUp = useOffersSignUp();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Topbar home={paths.landing()}>
        <ThemeButton />
        {!isPrivate && (
          <LinkButton
            className={css.pricing}
            variant="quiet"
            size="compact"
            href={paths.pricing()}
            aria-current={path === paths.pricing() ? "page" : undefined}
          >
            Pricing
          </LinkButton>
        )}
        <LinkButton variant="quiet" size="compact" href={paths.login()}>
          Log in
        </LinkButton>
        {offersSignUp && (
          <LinkButton variant="outline" size="compact" href={paths.signup()}>
            Sign up
          </LinkButton>
        )}
      </Topbar>
      {children}
    </>
  );
}
