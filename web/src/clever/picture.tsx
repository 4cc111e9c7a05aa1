import type { JSX } from "preact";
import type { CleverLayout, SheetView } from "../protocol";
import { capitalise, translate } from "../translate";
import { Fitted } from "../ui/fitted";
import { Bonus } from "./bonus";
import { MiniSheet } from "./mini";

/** An empty sheet and its bonuses, for the rules. */
export function SheetPicture({ layout }: { layout: CleverLayout }): JSX.Element {
  const signs = ["fox", ...layout.actions.map((action) => action.name), "black"];
  return (
    <figure class="rules-picture">
      <Fitted>
        <MiniSheet layout={layout} view={{ sheets: [emptySheet(layout)] }} seat={0} owner="" />
      </Fitted>
      <ul class="signs">
        {signs.map((sign) => (
          <li key={sign}>
            <Bonus name={sign} /> {capitalise(layout.words[sign] ?? sign)}:{" "}
            {translate(`page.explain.${sign}`)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function emptySheet(layout: CleverLayout): SheetView {
  const none = layout.areas.map((area) => area.cells.map(() => 0));
  return {
    marks: none,
    written: none,
    won: [],
    points: layout.areas.map(() => 0),
    foxes: 0,
    fox_points: 0,
    total: 0,
    actions: layout.actions.map(() => ({ unlocked: 0, used: 0, won: false })),
    heap: [],
    stage: "closed",
    extra_used: [],
  };
}
