import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useObservable } from "../observable";
import { translate, withMoreTexts } from "../translate";
import { LazyDialog } from "../ui/lazy";
import { Banner } from "../ui/notices";
import type { Witness } from "./witness";

/**
 * A seal beside the rounds: whole while every draw matches its commitment. Opens an explanation.
 */
export function Seal({ witness, code }: { witness: Witness; code: string }): JSX.Element | null {
  const { sealed, unprovable, broken } = useObservable(witness.report);
  const [open, setOpen] = useState(false);
  if (!sealed && !unprovable) {
    return null;
  }
  const label = translate(
    !sealed ? "page.fair.none" : broken ? "page.fair.broken" : "page.fair.whole",
  );
  return (
    <>
      <button
        type="button"
        class={`seal${broken || !sealed ? " broken" : ""}`}
        title={label}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        <Wax broken={broken !== null || !sealed} />
      </button>
      {open && (
        <LazyDialog
          load={withMoreTexts(async () => (await import("../table/dialogs")).SealDialog)}
          props={{ witness, title: label, code, onClose: () => setOpen(false) }}
        />
      )}
    </>
  );
}

/** A banner for a broken seal, or for a roll that another player made first. */
export function DiceWarning({ witness }: { witness: Witness }): JSX.Element | null {
  const { broken, overtaken } = useObservable(witness.report);
  if (broken) {
    return (
      <Banner
        kind="seal-alarm"
        text={`${translate("page.fair.alarm")} ${translate(`page.fair.why.${broken}`)}`}
      />
    );
  }
  return overtaken > 0 ? (
    <Banner kind="seal-doubt" text={translate("page.fair.overtaken", { count: overtaken })} />
  ) : null;
}

/** A drop of wax with a check mark, or with a crack when it is broken. */
export function Wax({ broken }: { broken: boolean }): JSX.Element {
  return (
    <svg class="wax" viewBox="0 0 32 32" aria-hidden="true">
      <path
        class="wax-drop"
        d="M16 2.5c2.6 0 3.6 1.9 5.8 2.5 2.3.7 4.3.4 5.4 2.6 1 2.1-.2 3.8.3 6 .5 2.3 2.2 3.5 1.7 6-.5 2.3-2.7 2.8-4 4.7-1.3 2-1.2 4.1-3.5 5-2.2.8-3.6-.7-5.9-.6-2.3.1-3.8 1.6-6 .6-2.2-1-1.9-3.2-3.3-5.1-1.3-1.8-3.4-2.5-3.7-4.9-.3-2.3 1.5-3.5 2-5.7.4-2.2-.6-4 .6-5.9 1.2-2 3.1-1.6 5.2-2.6C12.5 4.3 13.4 2.5 16 2.5Z"
      />
      {broken ? (
        <path class="wax-crack" d="M18.5 1 14 9.5l4.5 4-5.5 6 3.5 4-2.5 8" />
      ) : (
        <path class="wax-mark" d="m10 16.5 4.2 4.2 8-9" />
      )}
    </svg>
  );
}
