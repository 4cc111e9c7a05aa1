import type { ComponentChildren, CSSProperties, JSX } from "preact";
import { translate } from "../translate";

export interface CellProps {
  label: string;
  mark: number;
  written: number;
  lit: boolean;
  fresh: boolean;
  hinted: boolean;
  /** What a move looked at would enter: a number, or 0 for a cross. */
  ghost: number | undefined;
  /** A colour of its own. */
  kind?: string;
  /** Tracks write numbers; grids only cross. */
  writes: boolean;
  style?: CSSProperties;
  /** By which the page asks about it. */
  area: number;
  cell: number;
  children: ComponentChildren;
  onTouch: () => void;
  onHover: (isHere: boolean) => void;
}

const CROSSED = 2;

/** One field of a sheet: printed content, what was written over it, and a button while it may be touched. */
export function Cell({
  label,
  mark,
  written,
  lit,
  fresh,
  hinted,
  ghost,
  kind = "",
  writes,
  style,
  area,
  cell,
  children,
  onTouch,
  onHover,
}: CellProps): JSX.Element {
  const state =
    mark === 0 ? "open" : mark === CROSSED ? (writes ? "written" : "crossed") : "circled";
  const ariaLabel = `${label}, ${translate(`page.mark.${state}`, { number: written })}`;
  const classes = `cell ${state}${lit ? " lit" : ""}${fresh ? " fresh" : ""}${hinted ? " hinted" : ""} ${kind}`;
  const inside = (
    <>
      {state === "written" && written !== 0 ? (
        <span class="ink">{written}</span>
      ) : (
        <span class="print">{children}</span>
      )}
      {(state === "crossed" || (state === "written" && written === 0)) && <Cross />}
      {mark === 1 && <Circle />}
      {ghost !== undefined && <span class="ghost">{ghost === 0 ? <Cross /> : ghost}</span>}
    </>
  );
  return lit ? (
    <button
      type="button"
      class={classes}
      style={style}
      aria-label={ariaLabel}
      onClick={onTouch}
      onMouseEnter={() => onHover(true)}
      onMouseLeave={() => onHover(false)}
      onFocus={() => onHover(true)}
      onBlur={() => onHover(false)}
    >
      {inside}
    </button>
  ) : (
    <span
      class={classes}
      style={style}
      role="img"
      aria-label={ariaLabel}
      data-area={area}
      data-cell={cell}
    >
      {inside}
    </span>
  );
}

function Cross(): JSX.Element {
  return (
    <svg class="pen" viewBox="0 0 40 40" preserveAspectRatio="xMidYMid meet" aria-hidden="true">
      <path pathLength="1" d="M7 8C15 15 25 26 34 33" />
      <path pathLength="1" d="M33 7C25 15 15 25 7 34" />
    </svg>
  );
}

function Circle(): JSX.Element {
  return (
    <svg class="pen" viewBox="0 0 40 40" aria-hidden="true">
      <path pathLength="1" d="M29 8C20 2 6 7 5 20 4 32 18 38 28 33 38 28 38 13 27 7" />
    </svg>
  );
}
