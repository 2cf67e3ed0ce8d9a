import { useQuery } from "@tanstack/react-query";
import { goToProvider } from "../access/returning";
import { browserTimeZone } from "../kit/format";
import { paths } from "../kit/paths";
import { PlainLinkButton } from "../kit/ui/Button";
import css from "./AuthLayout.module.css";
import { providersQuery } from "./auth";

/**
 * A button for each sign-in provider of this server; nothing without providers. `next` is the address to open after
 * signing in.
 */
export function SocialButtons({ verb, next }: { verb: "Continue" | "Sign up"; next?: string }) {
  const { data: providers = [] } = useQuery(providersQuery);
  if (providers.length === 0) return null;
  return (
    <>
      <p className={css.or}>
        <span>or</span>
      </p>
      <div className={css.actions}>
        {providers.map(({ id, name }) => (
          <PlainLinkButton
            key={id}
            wide
            onClick={goToProvider}
            href={paths.oauth(id, { next, timezone: browserTimeZone() })}
          >
            {`${verb} with ${name}`}
          </PlainLinkButton>
        ))}
      </div>
    </>
  );
}
