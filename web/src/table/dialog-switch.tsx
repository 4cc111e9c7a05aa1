/** The dialogs of a table: one at a time, loaded when it is first opened. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { familyOf } from "../family";
import type { GameInfo, Layout, StateMessage } from "../protocol";
import type { NavigationState } from "../route";
import { translate, withMoreTexts } from "../translate";
import { LazyDialog } from "../ui/lazy";
import { Log } from "./log";
import type { TableModel } from "./model";
import { useRematch } from "./rematch";

export type OpenDialog =
  | { name: "rules" | "log" | "result" | "invitation" | "seats" }
  /** `about` names a die, field, card or level; null asks about the whole turn. */
  | { name: "why"; about: string | null };

interface DialogState {
  dialog: OpenDialog | null;
  open: (dialog: OpenDialog) => void;
  close: () => void;
}

const loadResult = withMoreTexts(async () => (await import("./result")).ResultDialog);

const loadDialogs = (): Promise<typeof import("./dialogs")> => import("./dialogs");
const loadSeats = withMoreTexts(async () => (await loadDialogs()).SeatsDialog);
const loadInvitation = withMoreTexts(async () => (await loadDialogs()).InvitationDialog);

/** The open dialog. The result opens by itself, and the invitation at a new table for friends. */
export function useDialogs({ over, invitation }: StateMessage): DialogState {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  useEffect(() => {
    if (over) {
      setDialog({ name: "result" });
    }
  }, [over]);
  useEffect(() => {
    if (invitation && (history.state as NavigationState | null)?.invites) {
      history.replaceState(null, "");
      setDialog({ name: "invitation" });
    }
  }, [invitation]);
  return { dialog, open: setDialog, close: () => setDialog(null) };
}

interface TableDialogsProps {
  dialog: OpenDialog | null;
  model: TableModel;
  state: StateMessage;
  game: GameInfo;
  strengths: readonly string[];
  layout: Layout;
  open: (dialog: OpenDialog) => void;
  onInvite: (() => void) | null;
  onClose: () => void;
}

export function TableDialogs({ dialog, ...props }: TableDialogsProps): JSX.Element | null {
  const { model, state, game, strengths, open, onInvite, onClose } = props;
  const { connection } = model;
  const onRematch = useRematch(model, state);
  switch (dialog?.name) {
    case "rules":
      return <Rules key="rules" {...props} />;
    case "why":
      return (
        <LazyDialog
          key="why"
          load={async () => (await loadDialogs()).WhyDialog}
          props={{ model, about: dialog.about, onRules: () => open({ name: "rules" }), onClose }}
        />
      );
    case "log":
      return <Log log={model.log.value} name={model.name} onClose={onClose} />;
    case "invitation":
      return (
        <LazyDialog
          key="invitation"
          load={loadInvitation}
          props={{ connection, title: game.name, onClose }}
        />
      );
    case "seats":
      return (
        <LazyDialog
          key="seats"
          load={loadSeats}
          props={{ connection, state, notice: model.notice.value, strengths, onInvite, onClose }}
        />
      );
    case "result":
      return <FinalScoring key="result" {...props} onRematch={onRematch} />;
    default:
      return null;
  }
}

type ContentProps = Omit<TableDialogsProps, "dialog">;

function Rules({ game, layout, onClose }: ContentProps): JSX.Element {
  const { Picture } = familyOf(layout);
  const { name: title, designer, publisher } = game;
  return (
    <LazyDialog
      load={async () => (await loadDialogs()).RulesDialog}
      props={{
        layout,
        title,
        credit: translate("page.credit", { designer, publisher }),
        picture: <Picture layout={layout} />,
        onClose,
      }}
    />
  );
}

function FinalScoring({
  model,
  state,
  game,
  layout,
  onRematch,
  onClose,
}: ContentProps & { onRematch: () => void }): JSX.Element | null {
  return (
    state.result && (
      <LazyDialog
        load={loadResult}
        props={{
          code: model.connection.code,
          title: game.name,
          layout,
          state,
          result: state.result,
          ended: model.log.value.at(-1)?.at ?? 0,
          name: model.name,
          onRematch: state.you.length > 0 || state.rematch ? onRematch : null,
          onClose,
        }}
      />
    )
  );
}
