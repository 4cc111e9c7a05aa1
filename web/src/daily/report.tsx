/** Reports to the operator of a public server, about names and results that strangers see. */
import { createContext, type JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import type { Report } from "../protocol";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { IconButton } from "../ui/forms";
import { Failure } from "../ui/notices";
import { sendReport } from "./api";

/** Whether the server has an operator who reads reports. */
export const Reports = createContext(false);

/** A person as a list shows them, with the list; or a group, which has no tag. */
export type Reported = Omit<Report, "token" | "why">;

/** Opens the dialog; nothing where nobody reads reports. */
export function ReportButton({ about }: { about: Reported }): JSX.Element | null {
  const enabled = useContext(Reports);
  const [open, setOpen] = useState(false);
  if (!enabled) {
    return null;
  }
  const name = `${about.shown || translate("page.daily.somebody")}${about.tag ? ` #${about.tag}` : ""}`;
  const label = translate("page.report.about", { name });
  return (
    <>
      <span class="report">
        <IconButton icon="flag" label={label} onClick={() => setOpen(true)} />
      </span>
      {open && <ReportDialog title={label} about={about} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReportDialog({
  title,
  about,
  onClose,
}: {
  title: string;
  about: Reported;
  onClose: () => void;
}): JSX.Element {
  const [sent, setSent] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const reasons: Report["why"][] = about.tag === undefined ? ["name"] : ["name", "cheating"];
  return (
    <Dialog title={title} kind="report-dialog" onClose={onClose}>
      <Failure text={failure?.message} />
      {sent ? (
        <>
          <p role="status">{translate("page.report.done")}</p>
          <button type="button" class="button primary" onClick={onClose}>
            {translate("page.close")}
          </button>
        </>
      ) : (
        <>
          <p>{translate("page.report.how")}</p>
          <div class="row">
            {reasons.map((why) => (
              <button
                key={why}
                type="button"
                class="button"
                onClick={() => {
                  sendReport({ ...about, why }).then(() => setSent(true), setFailure);
                }}
              >
                {translate(`page.report.${why}`)}
              </button>
            ))}
          </div>
        </>
      )}
    </Dialog>
  );
}
