import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { Bonus } from "../clever/bonus";
import { MiniSheet } from "../clever/mini";
import { Card } from "../climb/card";
import type { CleverLayout, ClimbLayout, Layout, SheetView } from "../protocol";
import { say, titled } from "../words";
import { Fitted } from "./others";

/** What the rules speak of, drawn from what is printed: the sheet with its bonuses, or a card of each colour. */
export function RulesPicture({ layout }: { layout: Layout }): JSX.Element {
  return layout.kind === "clever" ? <SheetPicture layout={layout} /> : <CardPicture layout={layout} />;
}

function SheetPicture({ layout }: { layout: CleverLayout }): JSX.Element {
  const signs = ["fox", ...layout.actions.map((action) => action.name), "black"];
  return (
    <figure class="rules-picture">
      <Fitted><MiniSheet layout={layout} sheet={emptySheet(layout)} owner="" /></Fitted>
      <ul class="signs">{signs.map((sign) => <li key={sign}><Bonus name={sign} /> {titled(layout.words[sign] ?? sign)}: {say(`page.explain.${sign}`)}</li>)}</ul>
    </figure>
  );
}

function emptySheet(layout: CleverLayout): SheetView {
  const none = layout.areas.map((area) => area.cells.map(() => 0));
  return { marks: none, written: none, won: [], points: layout.areas.map(() => 0), foxes: 0, fox_points: 0, total: 0, actions: layout.actions.map(() => ({ unlocked: 0, used: 0, won: false })), heap: [], stage: "closed", extra_used: [] };
}

/** Shown of each colour of cards. */
const SHOWN = 2;

function CardPicture({ layout }: { layout: ClimbLayout }): JSX.Element {
  const shown = layout.colours.flatMap((colour) => layout.cards.filter((card) => card.colour === colour.name).slice(0, SHOWN));
  return (
    <figure class="rules-picture">
      <ul class="samples">{shown.map((card) => <li key={card.name}><Card card={card} /><span>{titled(card.words)}</span></li>)}</ul>
      <ul class="signs">
        <li><i class="luck-coin"><Icon name="clover" /></i> {say("page.explain.luck")}</li>
        <li><i class="marker-sample" /> {say("page.explain.marker")}</li>
      </ul>
    </figure>
  );
}
