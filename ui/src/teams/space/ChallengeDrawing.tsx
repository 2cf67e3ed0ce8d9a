import { useMemo } from "react";
import type { Challenge } from "../../kit/api/types";
import { useWidth } from "../../kit/charts/useWidth";
import { measureSerif, useFontsReady } from "../../kit/spine/measure";
import { tenth } from "../../kit/spine/size";
import css from "./Challenges.module.css";
import { BASE, BOARD, type ChallengeLayout, HEIGHT, layoutChallenge, TOP } from "./drawing";

/** A shelf that fills towards a mark. It is decorative, because the figures around it say the same. */
export function ChallengeDrawing({ challenge }: { challenge: Challenge }) {
  const [stage, width] = useWidth<HTMLDivElement>();
  const fontsReady = useFontsReady();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured before the fonts came is measured again
  const layout = useMemo(() => layoutChallenge(challenge, width, measureSerif), [challenge, width, fontsReady]);
  return (
    <div ref={stage} className={css.stage}>
      {width > 0 && (
        <svg
          className={css.drawing}
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          aria-hidden="true"
          focusable="false"
        >
          <Spines layout={layout} />
          <rect className={css.board} y={BASE} width={width} height={BOARD} />
          <Ruler layout={layout} width={width} />
        </svg>
      )}
    </div>
  );
}

function Spines({ layout: { spines, missing } }: { layout: ChallengeLayout }) {
  return (
    <>
      {spines.map(({ x, width, blue, name }) => (
        <g key={x} transform={`translate(${tenth(x)} ${TOP})`}>
          <rect className={`${css.spine} d${blue}`} width={tenth(width)} height={BASE - TOP} rx="1.5" />
          {name && (
            <text
              className={`${css.name} f${blue}`}
              data-along={name.along || undefined}
              transform={
                name.along
                  ? `translate(${tenth(width / 2)} 6) rotate(90)`
                  : `translate(${tenth(width / 2)} ${(BASE - TOP) / 2})`
              }
              dy=".34em"
            >
              {name.text}
            </text>
          )}
        </g>
      ))}
      {missing && (
        <rect
          className={css.missing}
          x={tenth(missing.x)}
          y={TOP + 0.5}
          width={tenth(missing.width)}
          height={BASE - TOP - 1}
          rx="1.5"
        />
      )}
    </>
  );
}

function Ruler({ layout: { ticks, target }, width }: { layout: ChallengeLayout; width: number }) {
  const marks = ticks.map(({ x, major }) => `M${tenth(x + 0.5)} ${BASE + BOARD}v${major ? 7 : 4}`).join("");
  const [at, foot] = [tenth(target.x), BASE + BOARD + 8];
  return (
    <>
      <path className={css.tick} d={marks} />
      {ticks.map(
        ({ x, label }) =>
          label && (
            <text key={x} className={css.number} x={tenth(x)} y={BASE + 22} textAnchor={x === 0 ? "start" : "middle"}>
              {label}
            </text>
          ),
      )}
      <path
        className={css.target}
        d={target.passed ? `M${at} 0V${TOP}M${at} ${BASE + BOARD}V${foot}` : `M${at} 0V${foot}`}
      />
      <text
        className={css.aim}
        x={target.atEdge ? width : at}
        y={BASE + 23}
        textAnchor={target.atEdge ? "end" : "middle"}
      >
        {target.label}
      </text>
    </>
  );
}
