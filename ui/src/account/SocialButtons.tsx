import { useQuery } from "@tanstack/react-query";
import { PlainLinkButton } from "../kit/ui/Button";
import { providersQuery } from "./entry";
import css from "./FaceOut.module.css";

/** The other ways in, those that this server has; nothing where it has none. */
export function SocialButtons({ verb }: { verb: "Continue" | "Sign up" }) {
  const { data: providers = [] } = useQuery(providersQuery);
  if (providers.length === 0) return null;
  return (
    <>
      <p className={css.or}>
        <span>or</span>
      </p>
      <div className={css.actions}>
        {providers.map(({ id, name }) => (
          <PlainLinkButton key={id} wide href={`/api/auth/oauth/${encodeURIComponent(id)}`}>
            {`${verb} with ${name}`}
          </PlainLinkButton>
        ))}
      </div>
    </>
  );
}
