import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../art/icons";
import type { Connection } from "../connection";
import { useSelected } from "../observable";
import type { InvitationMessage } from "../protocol";
import { copyText } from "../sharing";
import { translate } from "../translate";
import { Dialog } from "../ui/dialog";
import { Failure } from "../ui/notices";

/** The invitation to this table: link, QR code and the system's share dialog. */
export function InvitationDialog({
  connection,
  title,
  onClose,
}: {
  connection: Connection;
  title: string;
  onClose: () => void;
}): JSX.Element {
  const isOpen = useSelected(connection.table, ({ link }) => link === "open");
  const [invitation, setInvitation] = useState<InvitationMessage | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const show = (answer: Promise<InvitationMessage>): void => {
    setFailure(null);
    void answer.then(setInvitation, (error: Error) => setFailure(error.message));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (isOpen) {
      show(connection.ask({ type: "invite" }));
    }
  }, [connection, isOpen]);
  const [first, ...others] = invitation?.links ?? [];
  return (
    <Dialog title={translate("page.invite")} kind="invitation" onClose={onClose}>
      <Failure text={failure} />
      {invitation && !first && invitation.network === null && (
        <>
          <p>{translate("page.invite.only_here")}</p>
          <p class="hint-line">{translate("page.invite.lan")}</p>
        </>
      )}
      {first && (
        <>
          <p>{translate("page.invite.how")}</p>
          <img
            class="qr"
            src={`data:image/svg+xml,${encodeURIComponent(first.qr)}`}
            alt={translate("page.invite.qr")}
          />
          <LinkRow link={first.link} title={title} />
          {others.map(({ link }) => (
            <LinkRow key={link} link={link} title={title} />
          ))}
        </>
      )}
      {invitation?.network && (
        <NetworkSwitch
          open={invitation.network === "open"}
          onSwitch={(open) => show(connection.ask({ type: "network", open }))}
        />
      )}
      <p class="hint-line">
        {translate("page.invite.watch", { code: connection.code.toUpperCase() })}
      </p>
    </Dialog>
  );
}

/** Opens the server to the local network and closes it; only on the server's machine. */
function NetworkSwitch({
  open,
  onSwitch,
}: {
  open: boolean;
  onSwitch: (open: boolean) => void;
}): JSX.Element {
  return (
    <div class="network-switch">
      <p class={open ? "hint-line" : ""}>
        {translate(open ? "page.invite.opened" : "page.invite.shut")}
      </p>
      <button
        type="button"
        class={`button${open ? " small" : " primary"}`}
        onClick={() => onSwitch(!open)}
      >
        {translate(open ? "page.invite.shut_again" : "page.invite.let_in")}
      </button>
      {!open && <p class="hint-line">{translate("page.invite.until")}</p>}
    </div>
  );
}

function LinkRow({ link, title }: { link: string; title: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const share =
    "share" in navigator
      ? (): void => void navigator.share({ title, url: link }).catch(() => undefined)
      : null;
  return (
    <div class="link-row">
      <input
        type="text"
        readOnly
        value={link}
        aria-label={translate("page.invite.link")}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" class="button" onClick={() => void copyText(link).then(setCopied)}>
        <Icon name={copied ? "check" : "copy"} />{" "}
        {translate(copied ? "page.table.copied" : "page.table.copy")}
      </button>
      {share && (
        <button type="button" class="button primary" onClick={share}>
          <Icon name="link" /> {translate("page.share")}
        </button>
      )}
    </div>
  );
}
