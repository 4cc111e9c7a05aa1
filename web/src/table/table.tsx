/** A table: its bar, players, board, log and dialogs. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { pages } from "#backend";
import type { Connection } from "../connection";
import { DiceWarning } from "../fair/seal";
import { familyOf } from "../family";
import { useMedia, WIDE } from "../media";
import { memory } from "../memory";
import { useSelected } from "../observable";
import { HOME } from "../paths";
import type { GameInfo, Layout, StateMessage } from "../protocol";
import { translate, withMoreTexts } from "../translate";
import { ConnectionBanner } from "../ui/connection-banner";
import { Lazy, Reload } from "../ui/lazy";
import { Link } from "../ui/link";
import { Banner } from "../ui/notices";
import { loadHints, TableBoard } from "./board";
import { TableDialogs, useDialogs } from "./dialog-switch";
import { useHint } from "./hint-question";
import { Log } from "./log";
import { TableModel } from "./model";
import { OtherSheets } from "./other-sheets";
import { Players } from "./players";
import { RematchInvitation } from "./rematch";
import { useShortcuts } from "./shortcuts";
import { TopBar } from "./top-bar";
import { useTurnEffects } from "./turn-effects";

const loadDiceEntry = withMoreTexts(async () => (await import("../companion/entry")).DiceEntry);

const loadReactions = withMoreTexts(async () => (await import("./reactions")).Reactions);

/** Whether a player elsewhere holds a seat. */
const hasFriends = ({ seats, you }: StateMessage): boolean =>
  seats.some(({ seat, kind, open }) => kind === "person" && !open && !you.includes(seat));

const loadCoach = async () => (await import("./coach")).Coach;

const NOTICE_SHOWN = 7000;
// Ms after a change: an earlier click was meant for the previous state.
const DELIBERATE_AFTER = 500;

interface TableProps {
  game: GameInfo;
  strengths: readonly string[];
  layout: Layout;
}

export function Table({
  connection,
  ...rest
}: { connection: Connection } & TableProps): JSX.Element {
  const model = useMemo(() => new TableModel(connection), [connection]);
  const state = model.state.value;
  return state ? (
    <OpenTable model={model} state={state} {...rest} />
  ) : (
    <Connecting notice={model.notice.value} outdated={model.outdated.value} />
  );
}

function OpenTable({
  model,
  state,
  game,
  strengths,
  layout,
}: { model: TableModel; state: StateMessage } & TableProps): JSX.Element {
  const { connection } = model;
  const { name: title } = game;
  const seat = model.seat.value;
  const wide = useMedia(WIDE);
  const guided = useSelected(memory, (settings) => settings.guided);
  const { dialog, open, close } = useDialogs(state);
  const hint = useHint(model);
  useTurnEffects(model, title);
  useShortcuts(
    {
      r: () => model.idle.peek() && model.roll(),
      u: () => model.idle.peek() && model.undo(),
      h: model.toggleHint,
      "?": () => open({ name: "rules" }),
    },
    state.seq,
  );
  const onWhy = (about: string | null): void => open({ name: "why", about });
  const isExplained = model.isOwn.value && !state.over;
  const onTouch = useExplanations(model, layout, isExplained, onWhy);
  const onInvite = state.invitation === null ? null : (): void => open({ name: "invitation" });
  const onSeats = (): void => open({ name: "seats" });
  return (
    <div class={`table kind-${layout.kind}`}>
      <TopBar
        connection={connection}
        title={title}
        layout={layout}
        state={state}
        onRules={() => open({ name: "rules" })}
        onLog={() => open({ name: "log" })}
        onResult={state.over ? () => open({ name: "result" }) : null}
        onInvite={onInvite}
        onSeats={state.seats.length > 1 ? onSeats : null}
      />
      <Warnings model={model} />
      <Players state={state} shown={seat} onInvite={onInvite} onShow={model.show}>
        {hasFriends(state) && <Lazy load={loadReactions} kind="unseen" props={{ model, state }} />}
      </Players>
      <LostLink model={model} />
      {/** biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled for the whole page */}
      <main class="stage" onClick={onTouch}>
        <h1 class="sr">{title}</h1>
        <TableBoard
          model={model}
          layout={layout}
          state={state}
          hint={hint}
          onWhy={isExplained ? () => onWhy(null) : null}
          onSeats={onSeats}
          onResult={() => open({ name: "result" })}
        />
        <OtherSheets
          layout={layout}
          state={state}
          marks={model.marks.value}
          shown={seat}
          name={model.name}
          onShow={model.show}
        />
        {state.typed_dice && <RealDice model={model} layout={layout} state={state} />}
        <aside class="log-side">
          {wide && model.hinting.value && (
            <Lazy load={loadHints} kind="unseen" props={{ model, asked: hint, state }} />
          )}
          <Log log={model.log.value} name={model.name} />
        </aside>
      </main>
      {!guided.includes(state.game) && state.you.includes(seat) && (
        <Lazy load={loadCoach} kind="unseen" props={{ model, state, family: layout.kind }} />
      )}
      <Announcement model={model} />
      <TableDialogs
        dialog={dialog}
        model={model}
        state={state}
        game={game}
        strengths={strengths}
        layout={layout}
        open={open}
        onInvite={onInvite}
        onClose={close}
      />
      {pages.dayOver && state.daily !== null && state.you.length > 0 && !state.over && (
        <Lazy load={withMoreTexts(pages.dayOver)} kind="unseen" props={{ day: state.daily }} />
      )}
      <RematchInvitation state={state} />
    </div>
  );
}

/** Return a handler of clicks that explains why a die, field, card or level cannot be used. */
function useExplanations(
  model: TableModel,
  layout: Layout,
  isExplained: boolean,
  onWhy: (about: string) => void,
): (event: MouseEvent) => void {
  const seat = model.seat.value;
  const seq = model.state.value?.seq;
  const changedAt = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useLayoutEffect(() => {
    changedAt.current = Date.now();
  }, [seq, seat]);
  return ({ target }) => {
    const { explainable, targetName } = familyOf(layout);
    const touched = target instanceof Element ? target.closest<HTMLElement>(explainable) : null;
    const isDeliberate = Date.now() - changedAt.current > DELIBERATE_AFTER;
    if (isExplained && isDeliberate && touched && model.moves.peek().length > 0) {
      onWhy(targetName(layout, touched));
    }
  };
}

/** The entry of real dice; after a refusal it starts again. */
function RealDice({
  model,
  layout,
  state,
}: {
  model: TableModel;
  layout: Layout;
  state: StateMessage;
}): JSX.Element {
  return (
    <Lazy
      key={model.refusals.value}
      kind="unseen"
      load={loadDiceEntry}
      props={{
        state,
        layout,
        enabled: model.idle.value,
        onEnter: model.enter,
        onCorrect: model.correct,
      }}
    />
  );
}

/** What the player should know about page, dice and computer players; notices disappear. */
function Warnings({ model }: { model: TableModel }): JSX.Element {
  const { connection } = model;
  const notice = model.notice.value;
  const warning = model.warning.value;
  useEffect(() => {
    const timer = notice === null ? 0 : setTimeout(() => connection.notify(null), NOTICE_SHOWN);
    return () => clearTimeout(timer);
  }, [connection, notice]);
  return (
    <>
      {model.outdated.value && (
        <p class="notice banner" role="alert">
          {translate("page.outdated")} <Reload small />
        </p>
      )}
      <DiceWarning witness={connection.witness} />
      {warning !== null && <Banner text={warning} />}
    </>
  );
}

function LostLink({ model }: { model: TableModel }): JSX.Element {
  return <ConnectionBanner link={model.link.value} />;
}

/** What happened and what to do now, for screen readers. */
function Announcement({ model }: { model: TableModel }): JSX.Element {
  return (
    <p class="sr" role="status" aria-live="polite">
      {[model.log.value.at(-1)?.words, model.prompt.value].join(" ")}
    </p>
  );
}

function Connecting({
  notice,
  outdated,
}: {
  notice: string | null;
  outdated: boolean;
}): JSX.Element {
  if (outdated) {
    return (
      <main class="lost">
        <p role="alert">{translate("page.outdated")}</p>
        <Reload small />
      </main>
    );
  }
  return (
    <main class="lost">
      <p role="status">{notice ?? translate("page.connecting")}</p>
      {notice !== null && (
        <Link class="button primary" href={HOME}>
          {translate("page.lost.home")}
        </Link>
      )}
    </main>
  );
}
