import type { JSX } from "preact";
import { Icon } from "../art/icons";
import type { CardLayout, ClimbLayout } from "../protocol";
import { capitalise, translate } from "../translate";
import { Card } from "./card";

/** Sample cards of each colour. */
const SHOWN = 3;

/** Return cards of all colours that together show every sign of the conditions. */
function sampleCards({ cards, colours }: ClimbLayout): CardLayout[] {
  const unknown = new Set(cards.flatMap(signsOf));
  return colours.flatMap(({ name }) => {
    const shown: CardLayout[] = [];
    const some = cards.filter(({ colour }) => colour === name);
    while (shown.length < SHOWN && unknown.size > 0) {
      // Simple cards first: the number of signs that a card adds, if it adds any.
      const [next] = some
        .map((card) => ({ card, adds: signsOf(card).filter((sign) => unknown.has(sign)) }))
        .filter(({ adds }) => adds.length > 0)
        .sort((one, other) => one.adds.length - other.adds.length);
      if (!next) {
        break;
      }
      for (const sign of next.adds) {
        unknown.delete(sign);
      }
      shown.push(next.card);
    }
    return shown.length > 0 ? shown : some.slice(0, 1);
  });
}

function signsOf({ terms }: CardLayout): string[] {
  return [
    ...(terms.length > 1 ? ["or"] : []),
    ...(terms.some((all) => all.length > 1) ? ["and"] : []),
    ...terms.flat().map(({ kind }) => kind),
  ];
}

/** The signs of conditions, markers and levels, for the rules. */
export function CardPicture({ layout }: { layout: ClimbLayout }): JSX.Element {
  return (
    <figure class="rules-picture">
      <ul class="samples">
        {sampleCards(layout).map((card) => (
          <li key={card.name}>
            <Card card={card} />
            <span>{capitalise(card.words)}</span>
          </li>
        ))}
      </ul>
      <ul class="signs">
        <li>
          <i class="luck-coin">
            <Icon name="clover" />
          </i>{" "}
          {translate("page.explain.luck")}
        </li>
        <li>
          <i class="marker-sample" /> {translate("page.explain.marker")}
        </li>
        <li>
          <Icon name="coin" /> {translate("page.explain.coin")}
        </li>
        <li>
          <b>×2</b> {translate("page.explain.factor")}
        </li>
      </ul>
    </figure>
  );
}
