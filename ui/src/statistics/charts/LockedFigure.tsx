import { useIsPrivate } from "../../access/site";
import { ChartFrame } from "../../kit/charts/ChartFrame";
import { paths } from "../../kit/paths";
import { PremiumBadge } from "../../kit/ui/Badge";
import { LinkButton } from "../../kit/ui/Button";
import type { FigureProps } from "./figure";
import css from "./LockedFigure.module.css";

/** The two charts that a plan may lack. */
const CHARTS = {
  authors: {
    title: "Top Authors by Words",
    text: "Advanced analytics ranks the authors you read most, across your eBook, audiobook and physical formats.",
  },
  formats: {
    title: "Words by Format",
    text: "Advanced analytics splits your words between eBook, audiobook and physical formats.",
  },
} as const;

/** A chart that the plan does not include: its outline, and a text that says what it would show. */
export function LockedFigure({ chart, className }: FigureProps & { chart: keyof typeof CHARTS }) {
  const { title, text } = CHARTS[chart];
  // The answer was given before the server became private.
  if (useIsPrivate()) return <ChartFrame title={title} className={className} state="loading" />;
  return (
    <ChartFrame title={title} className={className} state="locked" actions={<PremiumBadge />}>
      <div className={css.locked} data-chart={chart}>
        <div className={css.card}>
          <p>{text}</p>
          <LinkButton size="compact" href={paths.pricing()}>
            Upgrade
          </LinkButton>
        </div>
        <svg className={css.ghost} viewBox="0 0 600 300" preserveAspectRatio="none" aria-hidden="true">
          {chart === "authors" ? <AuthorsOutline /> : <FormatsOutline />}
        </svg>
      </div>
    </ChartFrame>
  );
}

function AuthorsOutline() {
  return (
    <>
      {Array.from({ length: 10 }, (_, i) => 590 * 0.76 ** i).map((width, i) => (
        <rect key={width} className={css.bar} x="1" y={4 + i * 29} width={width} height="17" />
      ))}
      <path className={css.axis} d="M.5 0V300" />
    </>
  );
}

function FormatsOutline() {
  return (
    <>
      {[250, 124, 118].map((height, i) => (
        <rect key={height} className={css.bar} x={40 + i * 190} y={298 - height} width="140" height={height} />
      ))}
      <path className={css.axis} d="M0 299.5H600" />
    </>
  );
}
