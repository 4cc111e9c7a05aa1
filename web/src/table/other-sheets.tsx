import type { JSX } from "preact";
import { familyOf } from "../family";
import { useMedia } from "../media";
import type { Layout, StateMessage } from "../protocol";
import type { Marks } from "../table-state";
import { translate } from "../translate";
import { Fitted } from "../ui/fitted";

const ROOMY = "(min-width: 1200px) and (min-height: 600px)";

interface OtherSheetsProps {
  layout: Layout;
  state: StateMessage;
  marks: Marks;
  shown: number;
  name: (seat: number) => string;
  onShow: (seat: number) => void;
}

/** Small sheets of the other players; a click shows one large. */
export function OtherSheets({
  layout,
  state,
  marks,
  shown,
  name,
  onShow,
}: OtherSheetsProps): JSX.Element | null {
  const hasRoom = useMedia(ROOMY);
  const others = state.seats.filter(({ seat }) => seat !== shown);
  if (!hasRoom || others.length === 0) {
    return null;
  }
  const { Mini } = familyOf(layout);
  return (
    <aside class="others" aria-label={translate("page.others")}>
      {others.map(({ seat }) => (
        <button
          key={seat}
          type="button"
          class={`other p-${seat}`}
          aria-label={translate("page.others.show", {
            name: name(seat),
            points: state.scores[seat] ?? 0,
          })}
          onClick={() => onShow(seat)}
        >
          <span class="other-head">
            <span>{name(seat)}</span>
            <b>{state.scores[seat] ?? 0}</b>
          </span>
          <Fitted>
            <Mini
              layout={layout}
              view={state.view}
              seat={seat}
              owner={name(seat)}
              marks={marks[seat]}
            />
          </Fitted>
        </button>
      ))}
    </aside>
  );
}
