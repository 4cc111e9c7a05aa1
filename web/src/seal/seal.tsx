import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Banner } from "../banner";
import { Dialog } from "../dialog";
import { useObservable } from "../observable";
import { TranscriptLink } from "../table/transcript";
import { say } from "../words";
import type { Witness } from "./witness";

/** A small seal beside the round: whole as long as every draw was what had been sealed. It tells on touch what that means. */
export function Seal({ witness, code }: { witness: Witness; code: string }): JSX.Element | null {
  const { sealed, draws, broken } = useObservable(witness.testimony);
  const [open, setOpen] = useState(false);
  if (!sealed) {
    return null;
  }
  const label = say(broken ? "page.seal.broken" : "page.seal.whole");
  return (
    <>
      <button
        type="button"
        class={`seal${broken ? " broken" : ""}`}
        title={label}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        <Wax broken={broken !== null} />
      </button>
      {open && (
        <Dialog title={label} kind="seal-dialog" onClose={() => setOpen(false)}>
          <div class="seal-words">
            {broken && (
              <p class="notice" role="alert">
                {say(`page.seal.why.${broken}`)}
              </p>
            )}
            <p>{say("page.seal.meaning")}</p>
            {!broken && (
              <p>
                <strong>{say("page.seal.checked", { count: draws })}</strong>
              </p>
            )}
            <p class="hint-line">{say("page.seal.verify")}</p>
            <TranscriptLink code={code}>{say("page.seal.download")}</TranscriptLink>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Whoever plays must not overlook a broken seal. */
export function Alarm({ witness }: { witness: Witness }): JSX.Element | null {
  const { broken } = useObservable(witness.testimony);
  return (
    broken && (
      <Banner
        kind="seal-alarm"
        words={`${say("page.seal.alarm")} ${say(`page.seal.why.${broken}`)}`}
      />
    )
  );
}

/** A drop of wax with a clover leaf pressed into it; in two halves when it is broken. */
export function Wax({ broken }: { broken: boolean }): JSX.Element {
  return (
    <svg class="wax" viewBox="0 0 32 32" aria-hidden="true">
      <path
        class="wax-drop"
        d="M16 2.5c2.6 0 3.6 1.9 5.8 2.5 2.3.7 4.3.4 5.4 2.6 1 2.1-.2 3.8.3 6 .5 2.3 2.2 3.5 1.7 6-.5 2.3-2.7 2.800-4 4.7-1.3 2-1.2 4.1-3.5 5-2.2.8-3.6-.7-5.9-.6-2.3.1-3.800 1.600-6 .6-2.2-1-1.9-3.2-3.3-5.1-1.3-1.800-3.400-2.5-3.7-4.9-.3-2.3 1.5-3.5 2-5.7.4-2.2-.6-4 .6-5.9 1.2-2 3.1-1.600 5.2-2.600C12.5 4.300 13.4 2.5 16 2.5Z"
      />
      {broken ? (
        <path class="wax-crack" d="M18.5 1 14 9.500l4.5 4-5.5 6 3.5 4-2.5 8" />
      ) : (
        <path class="wax-mark" d="m10 16.500 4.200 4.200 8-9" />
      )}
    </svg>
  );
}
