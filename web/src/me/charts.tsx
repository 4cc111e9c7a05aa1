/** Charts as SVG, each with its numbers in a table. */
import type { JSX } from "preact";
import { formatPoints } from "../format";
import { capitalise, translate } from "../translate";
import type { Bin } from "./statistics";

const WIDTH = 320;
const HEIGHT = 150;
const FOOT = 18;

interface FigureProps {
  title: string;
  head: readonly [string, string];
  rows: readonly (readonly [string, string])[];
  children: JSX.Element | JSX.Element[];
}

function Figure({ title, head, rows, children }: FigureProps): JSX.Element {
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {children}
      </svg>
      <details>
        <summary>{translate("page.me.as_table")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{head[0]}</th>
              <th scope="col">{head[1]}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, value], at) => (
              <tr key={at}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** The distribution of the scores. */
export function Histogram({ bins }: { bins: readonly Bin[] }): JSX.Element {
  const highest = Math.max(1, ...bins.map((bin) => bin.count));
  const barWidth = WIDTH / Math.max(1, bins.length);
  const binName = (bin: Bin): string =>
    bin.from === bin.to ? `${bin.from}` : `${bin.from}–${bin.to}`;
  return (
    <Figure
      title={translate("page.me.distribution")}
      head={[capitalise(translate("page.points")), translate("page.me.games")]}
      rows={bins.map((bin) => [binName(bin), `${bin.count}`])}
    >
      {bins.map((bin, at) => {
        const barHeight = ((HEIGHT - FOOT - 14) * bin.count) / highest;
        return (
          <g key={bin.from}>
            <rect
              class="chart-bar"
              x={at * barWidth + 2}
              y={HEIGHT - FOOT - barHeight}
              width={Math.max(1, barWidth - 4)}
              height={barHeight}
              rx="3"
            />
            {bin.count > 0 && (
              <text class="chart-count" x={(at + 0.5) * barWidth} y={HEIGHT - FOOT - barHeight - 3}>
                {bin.count}
              </text>
            )}
            {at % Math.ceil(bins.length / 6) === 0 && (
              <text class="chart-label" x={at * barWidth + 2} y={HEIGHT - 4}>
                {bin.from}
              </text>
            )}
          </g>
        );
      })}
    </Figure>
  );
}

/** Scores as dots, and the mean of the latest games as a line. */
export function Trend({
  title,
  scores,
  means,
  format = (value) => `${Math.round(value)}`,
}: {
  title: string;
  scores: readonly number[];
  means: readonly number[];
  format?: (value: number) => string;
}): JSX.Element {
  const lowest = Math.min(...scores);
  const range = Math.max(...scores) - lowest || 1;
  const xOf = (at: number): number => 30 + ((WIDTH - 38) * (at + 0.5)) / scores.length;
  const yOf = (value: number): number => 8 + (HEIGHT - 16) * (1 - (value - lowest) / range);
  return (
    <Figure
      title={title}
      head={[translate("page.me.game"), capitalise(translate("page.points"))]}
      rows={scores.map((value, at) => [
        `${at + 1}`,
        `${format(value)} (${format(means[at] ?? value)})`,
      ])}
    >
      <text class="chart-label" x="0" y="12">
        {format(lowest + range)}
      </text>
      <text class="chart-label" x="0" y={HEIGHT - 4}>
        {format(lowest)}
      </text>
      <g>
        {scores.map((value, at) => (
          <circle key={at} class="chart-dot" cx={xOf(at)} cy={yOf(value)} r="3" />
        ))}
      </g>
      <polyline
        class="chart-line"
        points={means.map((value, at) => `${xOf(at)},${yOf(value)}`).join(" ")}
      />
    </Figure>
  );
}

/** The mean of each part of the score. */
export function Parts({
  parts,
  partName,
}: {
  parts: readonly [string, number][];
  partName: (part: string) => string;
}): JSX.Element {
  const highest = Math.max(1, ...parts.map(([, value]) => value));
  const barHeight = HEIGHT / Math.max(1, parts.length);
  return (
    <Figure
      title={translate("page.me.parts")}
      head={[translate("page.me.part"), capitalise(translate("page.points"))]}
      rows={parts.map(([part, value]) => [partName(part), formatPoints(value)])}
    >
      {parts.map(([part, value], at) => (
        <g key={part} class={`c-${part}`}>
          <text class="chart-label" x="0" y={(at + 0.5) * barHeight + 4}>
            {partName(part)}
          </text>
          <rect
            class="chart-part"
            x="96"
            y={at * barHeight + 3}
            width={Math.max(0, ((WIDTH - 136) * value) / highest)}
            height={barHeight - 6}
            rx="3"
          />
          <text
            class="chart-count end"
            x={102 + Math.max(0, ((WIDTH - 136) * value) / highest)}
            y={(at + 0.5) * barHeight + 4}
          >
            {formatPoints(value)}
          </text>
        </g>
      ))}
    </Figure>
  );
}
