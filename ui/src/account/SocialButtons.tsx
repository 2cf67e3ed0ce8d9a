import { useQuery } from "@tanstack/react-query";
import { goToProvider } from "../access/returning";
import { browserTimeZone } from "../kit/format";
import { paths } from "../kit/paths";
import { PlainLinkButton } from "../kit/ui/Button";
import css from "./AuthLayout.module.css";
import { providersQuery } from "./auth";

interface SocialButtonsProps {
  verb: "Continue" | "Sign up";
  /** The address to open after signing in. */
  next?: string;
  /** Whether there is no form above. */
  alone?: boolean;
  /** The ids of the providers that are shown; all of them unless given. */
  only?: readonly string[];
}

/** A button for each sign-in provider of this server; nothing without providers. */
export function SocialButtons({ verb, next, alone = false, only }: SocialButtonsProps) {
  const { data = [] } = useQuery(providersQuery);
  const providers = data.filter(({ id }) => only?.includes(id) ?? true);
  if (providers.length === 0) return null;
  return (
    <>
      {!alone && (
        <p className={css.or}>
          <span>or</span>
        </p>
      )}
      <div className={alone ? `${css.actions} ${css.form}` : css.actions}>
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
