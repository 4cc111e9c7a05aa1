import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { translate } from "../translate";
import { type CurvePoint, gridLines, isMistake } from "./review";

interface CurveProps {
  points: readonly CurvePoint[];
  last: number;
  at: number;
  unit: "points" | "percent";
  label: string;
  onGo: (at: number) => void;
}

const HEIGHT = 190;
const LEFT = 38;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 22;
const SIZES: Readonly<Record<string, number>> = { inaccuracy: 4.5, mistake: 6, blunder: 7.5 };

/**
 * The expected score over the game: rolls are rings, decisions squares, mistakes large dots. A
 * click goes to the nearest of them.
 */
export function Curve({ points, last, at, unit, label, onGo }: CurveProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(340);
  useLayoutEffect(() => {
    const outside = frame.current;
    if (!outside) {
      return;
    }
    const watcher = new ResizeObserver(() => setWidth(Math.max(200, outside.clientWidth)));
    watcher.observe(outside);
    return () => watcher.disconnect();
  }, []);
  const values = points.map(({ value }) => value);
  const lowest = unit === "percent" ? 0 : Math.min(...values);
  const highest = unit === "percent" ? 100 : Math.max(...values, lowest + 1);
  const x = (moves: number): number => LEFT + ((width - LEFT - RIGHT) * moves) / Math.max(last, 1);
  const y = (value: number): number =>
    TOP + ((HEIGHT - TOP - BOTTOM) * (highest - value)) / (highest - lowest);
  const xOf = ({ at: made, by }: CurvePoint): number =>
    x(by === "start" || by === "end" ? made : made + 1);
  const touch = (event: MouseEvent): void => {
    const from = frame.current?.getBoundingClientRect().left ?? 0;
    const nearest = points.reduce((best, point) =>
      Math.abs(xOf(point) - (event.clientX - from)) < Math.abs(xOf(best) - (event.clientX - from))
        ? point
        : best,
    );
    onGo(nearest.at);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled for the whole page
    // biome-ignore lint/a11y/noStaticElementInteractions: the slider below does the same by keyboard
    <div class="curve" ref={frame} onClick={touch}>
      <svg width={width} height={HEIGHT} role="img" aria-label={label}>
        {gridLines(lowest, highest, 5).map((value) => (
          <g key={value} class="curve-line">
            <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 5} y={y(value) + 4} text-anchor="end">
              {value}
              {unit === "percent" ? "%" : ""}
            </text>
          </g>
        ))}
        {gridLines(0, last, 6).map((moves) => (
          <text key={moves} class="curve-moves" x={x(moves)} y={HEIGHT - 5} text-anchor="middle">
            {moves}
          </text>
        ))}
        <line class="curve-now" x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} />
        {points.slice(1).map((point, index) => {
          const before = points[index] ?? point;
          return (
            <line
              key={index}
              class={`curve-step by-${point.by}`}
              x1={xOf(before)}
              y1={y(before.value)}
              x2={xOf(point)}
              y2={y(point.value)}
            />
          );
        })}
        {points.map((point, index) =>
          point.by === "roll" ? (
            <circle key={index} class="curve-roll" cx={xOf(point)} cy={y(point.value)} r="2.4" />
          ) : point.decision && isMistake(point.decision) ? (
            <circle
              key={index}
              class={`curve-mistake v-${point.decision.verdict}`}
              cx={xOf(point)}
              cy={y(point.value)}
              r={SIZES[point.decision.verdict] ?? 5}
            />
          ) : point.by === "decision" ? (
            <rect
              key={index}
              class="curve-decision"
              x={xOf(point) - 2}
              y={y(point.value) - 2}
              width="4"
              height="4"
            />
          ) : null,
        )}
      </svg>
      <p class="curve-key" aria-hidden="true">
        <span class="key-roll" /> {translate("page.review.key.rolls")} <span class="key-decision" />{" "}
        {translate("page.review.key.decisions")} <span class="key-mistake" />{" "}
        {translate("page.review.key.mistakes")}
      </p>
    </div>
  );
}
