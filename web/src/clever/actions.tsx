import type { JSX } from "preact";
import { Icon } from "../art/icons";
import type { ActionLayout, ActionView, CleverLayout, SheetView } from "../protocol";
import { capitalise, translate } from "../translate";
import { Bonus } from "./bonus";

const ICONS = { reroll: "reroll", return: "return", extra: "extra" } as const;

/** The action tracks: unlocked actions are circled, used ones crossed out. */
export function ActionTracks({
  layout,
  sheet,
}: {
  layout: CleverLayout;
  sheet: SheetView;
}): JSX.Element {
  return (
    <div class="actions">
      {layout.actions.map((action, at) => {
        const state = sheet.actions[at] ?? { unlocked: 0, used: 0, won: false };
        return <ActionTrack key={action.name} layout={layout} action={action} state={state} />;
      })}
    </div>
  );
}

function ActionTrack({
  layout,
  action,
  state,
}: {
  layout: CleverLayout;
  action: ActionLayout;
  state: ActionView;
}): JSX.Element {
  const left = state.unlocked - state.used;
  const name = action.name as keyof typeof ICONS;
  const label = translate("page.sheet.action", {
    name: capitalise(layout.words[name] ?? name),
    left,
    used: state.used,
  });
  return (
    <div class={`action b-${name}`} role="img" aria-label={label} title={label}>
      <span class="action-icon">
        <Icon name={ICONS[name]} />
      </span>
      <span class="action-fields">
        {Array.from({ length: action.length }, (_, at) => (
          <i key={at} class={at < state.used ? "used" : at < state.unlocked ? "ready" : ""} />
        ))}
      </span>
      <b class="action-left">{left}</b>
      {action.end_bonus !== "" && <Bonus name={action.end_bonus} won={state.won} />}
    </div>
  );
}
