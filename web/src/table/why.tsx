import type { JSX } from "preact";
import type { WhyMessage } from "../protocol";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";

/** Explains why something is impossible or required. */
export function WhyDialog({
  answer,
  onRules,
  onClose,
}: {
  answer: WhyMessage | null;
  onRules: () => void;
  onClose: () => void;
}): JSX.Element {
  const reasons = answer?.words ?? [];
  return (
    <Dialog title={translate("why.title")} kind="why" onClose={onClose}>
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
