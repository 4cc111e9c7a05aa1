/** The player's devices: list, remove, and link another one. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { dateFormat } from "../format";
import { invitationOf } from "../paths";
import type { Along, Asking, Handover, KnownDevice } from "../protocol";
import { translate } from "../translate";
import { TextForm, useConfirmation } from "../ui/forms";
import { Section } from "../ui/section";
import {
  answerDevice,
  createDeviceCode,
  fetchAskingDevices,
  fetchDevices,
  linkDevice,
  revokeDevice,
} from "./api";

const POLL_EVERY = 2000;

interface DevicesProps {
  onLinked: () => void;
  onFailure: (error: ApiError) => void;
}

export function Devices({ onLinked, onFailure }: DevicesProps): JSX.Element {
  const [devices, setDevices] = useState<KnownDevice[]>([]);
  const refresh = (): void =>
    void fetchDevices().then((answer) => setDevices(answer.devices), onFailure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(refresh, []);
  return (
    <Section icon="link" title={translate("page.me.along")}>
      {devices.length > 0 && (
        <ul class="tables" aria-label={translate("page.me.device.list")}>
          {devices.map((device) => (
            <DeviceRow
              key={device.id}
              device={device}
              onRevoke={() =>
                void revokeDevice(device.id).then((answer) => setDevices(answer.devices), onFailure)
              }
            />
          ))}
        </ul>
      )}
      <p>{translate("page.me.along.why")}</p>
      <AdmitDevice onAdmitted={refresh} onFailure={onFailure} />
      <LinkDevice onLinked={onLinked} onFailure={onFailure} />
    </Section>
  );
}

function DeviceRow({
  device,
  onRevoke,
}: {
  device: KnownDevice;
  onRevoke: () => void;
}): JSX.Element {
  const { confirming, handlers } = useConfirmation(onRevoke);
  const day = dateFormat({ dateStyle: "medium" });
  const formatDate = (seconds: number): string =>
    seconds === 0 ? "–" : day.format(seconds * 1000);
  return (
    <li class="me-device">
      <span class="me-what">
        <strong>
          {device.name || translate("page.me.device.unnamed")}
          {device.this && ` (${translate("page.me.device.this")})`}
        </strong>
        <small>
          {translate("page.me.device.seen", {
            added: formatDate(device.added),
            seen: formatDate(device.seen),
          })}
        </small>
      </span>
      {!device.this && (
        <button type="button" class={`button small${confirming ? " primary" : ""}`} {...handlers}>
          <Icon name="close" />{" "}
          {translate(confirming ? "page.me.device.revoke.sure" : "page.me.device.revoke")}
        </button>
      )}
    </li>
  );
}

/** Shows a code for another device, and asks for confirmation when one uses it. */
function AdmitDevice({
  onAdmitted,
  onFailure,
}: {
  onAdmitted: () => void;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [deviceCode, setDeviceCode] = useState<Along | null>(null);
  const [asking, setAsking] = useState<Asking[]>([]);
  useEffect(() => {
    if (!deviceCode) {
      return;
    }
    const timer = setInterval(
      () =>
        void fetchAskingDevices().then(
          (answer) => setAsking(answer.asking),
          () => undefined,
        ),
      POLL_EVERY,
    );
    return () => clearInterval(timer);
  }, [deviceCode]);
  const answer = (check: string, admit: boolean): void => {
    answerDevice(check, admit).then((answer) => {
      setAsking(answer.asking);
      setDeviceCode(null);
      onAdmitted();
    }, onFailure);
  };
  if (!deviceCode) {
    return (
      <button
        type="button"
        class="button"
        onClick={() => createDeviceCode().then(setDeviceCode, onFailure)}
      >
        <Icon name="link" /> {translate("page.me.along.code")}
      </button>
    );
  }
  return (
    <div class="link-code">
      <strong class="device-code">
        {`${deviceCode.code.slice(0, 4)} ${deviceCode.code.slice(4)}`.toUpperCase()}
      </strong>
      {deviceCode.links.slice(0, 1).map(({ link, qr }) => (
        <img
          key={link}
          class="qr"
          src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
          alt={translate("page.invite.qr")}
        />
      ))}
      <p class="hint-line">{translate("page.me.along.how")}</p>
      {asking.map(({ name, check }) => (
        <div key={check} class="notice" role="alert">
          <p>
            {translate("page.me.device.asks", {
              name: name || translate("page.me.device.unnamed"),
              check,
            })}
          </p>
          <div class="row">
            <button type="button" class="button primary" onClick={() => answer(check, true)}>
              <Icon name="check" /> {translate("page.me.device.admit")}
            </button>
            <button type="button" class="button" onClick={() => answer(check, false)}>
              <Icon name="close" /> {translate("page.me.device.refuse")}
            </button>
          </div>
        </div>
      ))}
    </div>
  );
}

/**
 * Links this device with a code: shows the owner, asks for agreement and waits for the other
 * device.
 */
function LinkDevice({ onLinked, onFailure }: DevicesProps): JSX.Element {
  // The QR code of the other device contains its code.
  const [code, setCode] = useState(() => invitationOf(location.hash));
  const [handover, setHandover] = useState<Handover | null>(null);
  const cancel = (): void => {
    setHandover(null);
    setCode("");
    history.replaceState(null, "", location.pathname);
  };
  const request = (agreed: boolean): void => {
    linkDevice(code, agreed).then(
      (answer) => {
        setHandover(answer);
        if (answer.state === "done") {
          cancel();
          onLinked();
        }
      },
      (error: ApiError) => {
        setHandover(null);
        onFailure(error);
      },
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (handover?.state !== "waiting") {
      return;
    }
    const timer = setTimeout(() => request(true), POLL_EVERY);
    return () => clearTimeout(timer);
  }, [handover]);
  if (handover) {
    const owner = `${handover.name || translate("page.daily.somebody")} #${handover.tag}`;
    return (
      <div class="notice link-device" role="alert">
        <p>
          {translate("page.me.arrive.ask", { name: owner })}{" "}
          {handover.games > 0 && translate("page.me.arrive.games", { count: handover.games })}
        </p>
        <p>
          <strong class="device-code">{handover.check}</strong>
        </p>
        {handover.state === "asked" ? (
          <div class="row">
            <button type="button" class="button primary" onClick={() => request(true)}>
              <Icon name="check" /> {translate("page.me.arrive.agree")}
            </button>
            <button type="button" class="button" onClick={cancel}>
              <Icon name="close" /> {translate("page.me.arrive.cancel")}
            </button>
          </div>
        ) : (
          <p role="status">{translate("page.me.arrive.wait")}</p>
        )}
      </div>
    );
  }
  return (
    <TextForm
      value={code}
      label={translate("page.me.along.enter")}
      code
      onInput={setCode}
      onSubmit={() => request(false)}
    >
      {translate("page.me.along.go")}
    </TextForm>
  );
}
