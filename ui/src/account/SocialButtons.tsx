import { useQuery } from "@tanstack/react-query";
import { browserTimeZone } from "../kit/format";
import { paths } from "../kit/paths";
import { PlainLinkButton } from "../kit/ui/Button";
import css from "./AuthLayout.module.css";
import { providersQuery } from "./auth";

/** The other ways in, those that this server has; nothing where it has none. `next` waits for whoever comes back. */
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
          <PlainLinkButton key={id} wide href={paths.oauth(id, { next, timezone: browserTimeZone() })}>
            {`${verb} with ${name}`}
          </PlainLinkButton>
        ))}
      </div>
    </>
  );
}
