import type { JSX } from "preact";
import { useObservable } from "../observable";
import { saveFile } from "../sharing";
import { TranscriptLink } from "../table/transcript";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import type { Witness, WitnessReport } from "./witness";
import { witnessFile } from "./witness-file";

/** Explains the seal and offers the files that prove a game. */
export function SealDialog({
  witness,
  title,
  code,
  onClose,
}: {
  witness: Witness;
  title: string;
  code: string;
  onClose: () => void;
}): JSX.Element {
  const report = useObservable(witness.report);
  return (
    <Dialog title={title} kind="seal-dialog" onClose={onClose}>
      <div class="seal-words">
        {report.sealed ? (
          <Explanation witness={witness} report={report} code={code} />
        ) : (
          <p>{translate("page.fair.none.meaning")}</p>
        )}
      </div>
    </Dialog>
  );
}

function Explanation({
  witness,
  report,
  code,
}: {
  witness: Witness;
  report: WitnessReport;
  code: string;
}): JSX.Element {
  const { draws, broken, overtaken, elsewhere } = report;
  return (
    <>
      {broken && (
        <p class="notice" role="alert">
          {translate(`page.fair.why.${broken}`)}
        </p>
      )}
      {broken === "foreign" && (
        <button type="button" class="button" onClick={() => witness.rolledElsewhere()}>
          {translate("page.fair.elsewhere")}
        </button>
      )}
      {overtaken > 0 && (
        <p class="notice">{translate("page.fair.overtaken", { count: overtaken })}</p>
      )}
      {elsewhere && <p class="hint-line">{translate("page.fair.elsewhere.on")}</p>}
      <p>{translate("page.fair.meaning")}</p>
      <p>{translate("page.fair.limits")}</p>
      {!broken && draws > 0 && (
        <p>
          <strong>{translate("page.fair.checked", { count: draws })}</strong>
        </p>
      )}
      <p class="hint-line">{translate("page.fair.verify")}</p>
      <p class="buttons">
        <TranscriptLink code={code}>{translate("page.fair.download")}</TranscriptLink>
        <button
          type="button"
          class="button"
          onClick={() => saveFile(`fox-and-clover-${code}-witness.json`, witnessFile(code))}
        >
          {translate("page.fair.witness")}
        </button>
      </p>
    </>
  );
}
