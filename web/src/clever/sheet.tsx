/** A sheet, drawn only from its layout: the code knows no particular game. */
import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { Sign } from "../art/pips";
import type { AreaLayout, CleverLayout, SheetView } from "../protocol";
import { capitalise, translate } from "../translate";
import { ActionTracks } from "./actions";
import { Grid } from "./grid";
import { Track } from "./track";

/** What is highlighted on a sheet, and how it reacts. */
interface SheetMarks {
  /** Keys of the fields that can be chosen, see cellKey. */
  lit: ReadonlySet<string>;
  fresh: ReadonlySet<string>;
  /** The field of the hinted move. */
  hinted: string;
  /** The chosen field. */
  chosen: string;
  /** What the hovered moves would enter, see MovePreview. */
  ghosts: ReadonlyMap<string, number>;
  onCell: (area: number, cell: number) => void;
  /** Called with null when no field is hovered. */
  onHover: (place: { area: number; cell: number } | null) => void;
}

export interface AreaProps extends SheetMarks {
  area: AreaLayout;
  index: number;
  marks: readonly number[];
  /** Whether the bonus of each line of a grid or field of a track is won. */
  won: readonly boolean[];
  written: readonly number[];
}

/** Width of a grid's margin, in columns. */
const GRID_EDGE = 0.6;
/** Height of a grid row relative to a track, so that their fields have the same size. */
const TALL = 0.52;

interface SheetProps extends SheetMarks {
  layout: CleverLayout;
  sheet: SheetView;
  owner: string;
}

export function Sheet({ layout, sheet, owner, ...sheetMarks }: SheetProps): JSX.Element {
  const grids = layout.areas.filter((area) => area.kind === "grid");
  return (
    <section class="sheet" aria-label={translate("page.sheet.of", { name: owner })}>
      <header class="sheet-head">
        <strong class="owner">{owner}</strong>
        <ActionTracks layout={layout} sheet={sheet} />
        <span
          class="foxes"
          title={translate("page.sheet.foxes", { count: sheet.foxes, points: sheet.fox_points })}
        >
          <Icon name="fox" /> {sheet.foxes}
        </span>
      </header>
      <div
        class="areas"
        style={{
          "--grids": grids.map((area) => `minmax(0, ${area.columns + GRID_EDGE}fr)`).join(" "),
          "--tall": `${TALL * Math.max(...grids.map((area) => area.rows))}fr`,
        }}
      >
        {layout.areas.map((area, index) => {
          const AreaCells = area.kind === "grid" ? Grid : Track;
          const name = capitalise(layout.words[area.name] ?? area.name);
          return (
            <section key={area.name} class={`area ${area.kind} c-${area.name}`} aria-label={name}>
              <header class="area-head" title={explain(area)}>
                <Sign colour={area.name} />
                <span class="area-name">{name}</span>
                <span class="area-points" title={translate("page.points")}>
                  {sheet.points[index]}
                </span>
              </header>
              <AreaCells
                area={area}
                index={index}
                marks={sheet.marks[index] ?? []}
                won={sheet.won[index] ?? []}
                written={sheet.written[index] ?? []}
                {...sheetMarks}
              />
            </section>
          );
        })}
      </div>
      <Totals layout={layout} sheet={sheet} />
    </section>
  );
}

/** Return how an area is filled. */
function explain(area: AreaLayout): string {
  if (area.kind === "grid") {
    return translate(area.circles ? "page.explain.circles" : "page.explain.grid");
  }
  const rule =
    area.scoring === "pairs"
      ? "pairs"
      : area.order !== "any"
        ? area.order
        : area.cells.some((cell) => cell.minimum > 0)
          ? "minimum"
          : "any";
  return translate(`page.explain.${rule}`);
}

function Totals({ layout, sheet }: { layout: CleverLayout; sheet: SheetView }): JSX.Element {
  return (
    <footer class="totals">
      {layout.areas.map((area, index) => (
        <span key={area.name} class={`total c-${area.name}`}>
          <Sign colour={area.name} />
          <span class="sr">{layout.words[area.name]}</span>
          {sheet.points[index]}
        </span>
      ))}
      <span class="total c-fox">
        {translate("page.sheet.foxes", { count: sheet.foxes, points: sheet.fox_points })}
      </span>
      <strong class="total sum">{translate("common.points", { count: sheet.total })}</strong>
    </footer>
  );
}
