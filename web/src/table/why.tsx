import type { JSX } from "preact";
import { useAnswer } from "../answers";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/notices";
import type { TableModel } from "./model";

/** Explains why something is impossible or required. */
export function WhyDialog({
  model,
  about,
  onRules,
  onClose,
}: {
  model: TableModel;
  /** The die, field, card or level in question; null for the whole turn. */
  about: string | null;
  onRules: () => void;
  onClose: () => void;
}): JSX.Element | null {
  const { answer, failure } = useAnswer(model.connection, {
    type: "why",
    seat: model.seat.value,
    ...(about === null ? {} : { about }),
  }).value;
  if (!answer && !failure) {
    return null; // it opens with its content, and nothing moves afterwards
  }
  const reasons = answer?.words ?? [];
  return (
    <Dialog title={translate("why.title")} kind="why" onClose={onClose}>
      <Failure text={failure?.message} />
      {reasons.length === 0 ? (
        <p>{answer && translate("why.nothing")}</p>
      ) : (
        <ul class="reasons">
          {reasons.map((words, at) => (
            <li key={at}>{words}</li>
          ))}
        </ul>
      )}
      <button type="button" class="button small" onClick={onRules}>
        {translate("page.rules")}
      </button>
    </Dialog>
  );
}
