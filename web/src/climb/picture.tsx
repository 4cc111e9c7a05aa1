import type { JSX } from "preact";
import { Icon } from "../art/icons";
import type { ClimbLayout } from "../protocol";
import { capitalise, translate } from "../translate";
import { Card } from "./card";

/** Number of sample cards of each colour. */
const SHOWN = 2;

/** Sample cards and markers, for the rules. */
export function CardPicture({ layout }: { layout: ClimbLayout }): JSX.Element {
  const shown = layout.colours.flatMap((colour) =>
    layout.cards.filter((card) => card.colour === colour.name).slice(0, SHOWN),
  );
  return (
    <figure class="rules-picture">
      <ul class="samples">
        {shown.map((card) => (
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
      </ul>
    </figure>
  );
}
