import type { ComponentChildren, CSSProperties, JSX } from "preact";
import { hoverHandlers } from "../input";
import { translate } from "../translate";
import { cellKey } from "./choice";
import type { AreaProps } from "./sheet";

interface CellProps extends AreaProps {
  /** The number of the field in its area. */
  at: number;
  label: string;
  number: number;
  /** A colour other than that of the area. */
  kind?: string;
  /** Numbers are written on tracks; grids only have crosses. */
  writes: boolean;
  style?: CSSProperties;
  children: ComponentChildren;
}

const CROSSED = 2;

/** One field of a sheet: what is printed and written on it; a button while it is highlighted. */
export function Cell({
  at,
  label,
  number,
  kind = "",
  writes,
  style,
  children,
  index,
  marks,
  lit,
  fresh,
  hinted,
  chosen,
  ghosts,
  onCell,
  onHover,
}: CellProps): JSX.Element {
  const key = cellKey(index, at);
  const mark = marks[at] ?? 0;
  const ghost = ghosts.get(key);
  const isLit = lit.has(key);
  const state =
    mark === 0 ? "open" : mark === CROSSED ? (writes ? "written" : "crossed") : "circled";
  const ariaLabel = `${label}, ${translate(`page.mark.${state}`, { number })}`;
  const classes = `cell ${state}${isLit ? " lit" : ""}${fresh.has(key) ? " fresh" : ""}${hinted === key ? " hinted" : ""} ${kind}`;
  const content = (
    <>
      {state === "written" && number !== 0 ? (
        <span class="ink">{number}</span>
      ) : (
        <span class="print">{children}</span>
      )}
      {(state === "crossed" || (state === "written" && number === 0)) && <Cross />}
      {mark === 1 && <Circle />}
      {ghost !== undefined && <span class="ghost">{ghost === 0 ? <Cross /> : ghost}</span>}
    </>
  );
  return isLit ? (
    <button
      type="button"
      class={classes}
      style={style}
      aria-label={ariaLabel}
      aria-pressed={chosen === key}
      onClick={() => onCell(index, at)}
      {...hoverHandlers((isOver) => onHover(isOver ? { area: index, cell: at } : null))}
    >
      {content}
    </button>
  ) : (
    <span
      class={classes}
      style={style}
      role="img"
      aria-label={ariaLabel}
      data-area={index}
      data-cell={at}
    >
      {content}
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
