/** One's devices: listed, removed, and another one let in when both agree. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiError } from "../api";
import { Icon } from "../art/icons";
import { dates } from "../dates";
import { invitationOf } from "../paths";
import type { Along, Asking, Handover, KnownDevice } from "../protocol";
import { translate } from "../translate";
import { Section } from "../ui/section";
import { admit, arrive, myDevices, revoke, takeAlong, whoAsks } from "./api";

const ASK_EVERY = 2000;

interface DevicesProps {
  onArrived: () => void;
  onFailure: (error: ApiError) => void;
}

export function Devices({ onArrived, onFailure }: DevicesProps): JSX.Element {
  const [devices, setDevices] = useState<KnownDevice[]>([]);
  const load = (): void => void myDevices().then((answer) => setDevices(answer.devices), onFailure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(load, []);
  return (
    <Section icon="again" title={translate("page.me.along")}>
      {devices.length > 0 && (
        <ul class="tables" aria-label={translate("page.me.device.list")}>
          {devices.map((device) => (
            <Row
              key={device.id}
              device={device}
              onRevoke={() =>
                void revoke(device.id).then((answer) => setDevices(answer.devices), onFailure)
              }
            />
          ))}
        </ul>
      )}
      <p>{translate("page.me.along.why")}</p>
      <LetIn onAdmitted={load} onFailure={onFailure} />
      <Arrive onArrived={onArrived} onFailure={onFailure} />
    </Section>
  );
}

function Row({ device, onRevoke }: { device: KnownDevice; onRevoke: () => void }): JSX.Element {
  const [sure, setSure] = useState(false);
  const day = dates({ dateStyle: "medium" });
  const when = (seconds: number): string => (seconds === 0 ? "–" : day.format(seconds * 1000));
  return (
    <li class="me-device">
      <span class="me-what">
        <strong>
          {device.name || translate("page.me.device.unnamed")}
          {device.this && ` (${translate("page.me.device.this")})`}
        </strong>
        <small>
          {translate("page.me.device.seen", { added: when(device.added), seen: when(device.seen) })}
        </small>
      </span>
      {!device.this && (
        <button
          type="button"
          class={`button small${sure ? " primary" : ""}`}
          onBlur={() => setSure(false)}
          onClick={() => (sure ? onRevoke() : setSure(true))}
        >
          <Icon name="close" />{" "}
          {translate(sure ? "page.me.device.revoke.sure" : "page.me.device.revoke")}
        </button>
      )}
    </li>
  );
}

/** This device gives out a code, and asks its user about whoever comes with it. */
function LetIn({
  onAdmitted,
  onFailure,
}: {
  onAdmitted: () => void;
  onFailure: (error: ApiError) => void;
}): JSX.Element {
  const [along, setAlong] = useState<Along | null>(null);
  const [asking, setAsking] = useState<Asking[]>([]);
  useEffect(() => {
    if (!along) {
      return;
    }
    const timer = setInterval(
      () =>
        void whoAsks().then(
          (answer) => setAsking(answer.asking),
          () => undefined,
        ),
      ASK_EVERY,
    );
    return () => clearInterval(timer);
  }, [along]);
  const decide = (check: string, yes: boolean): void => {
    admit(check, yes).then((answer) => {
      setAsking(answer.asking);
      setAlong(null);
      onAdmitted();
    }, onFailure);
  };
  if (!along) {
    return (
      <button type="button" class="button" onClick={() => takeAlong().then(setAlong, onFailure)}>
        <Icon name="link" /> {translate("page.me.along.code")}
      </button>
    );
  }
  return (
    <div class="me-along">
      <strong class="along-code">
        {`${along.code.slice(0, 4)} ${along.code.slice(4)}`.toUpperCase()}
      </strong>
      {along.links.slice(0, 1).map(({ link, qr }) => (
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
            <button type="button" class="button primary" onClick={() => decide(check, true)}>
              <Icon name="check" /> {translate("page.me.device.admit")}
            </button>
            <button type="button" class="button" onClick={() => decide(check, false)}>
              <Icon name="close" /> {translate("page.me.device.refuse")}
            </button>
          </div>
        </div>
      ))}
    </div>
  );
}

/** This device comes along: its user sees whom it will belong to, agrees, and waits for the other one. */
function Arrive({ onArrived, onFailure }: DevicesProps): JSX.Element {
  // A camera that read the picture of the other device brings its code in the address.
  const [code, setCode] = useState(() => invitationOf(location.hash));
  const [handover, setHandover] = useState<Handover | null>(null);
  const end = (): void => {
    setHandover(null);
    setCode("");
    history.replaceState(null, "", location.pathname);
  };
  const ask = (agreed: boolean): void => {
    arrive(code, agreed).then(
      (answer) => {
        setHandover(answer);
        if (answer.state === "done") {
          end();
          onArrived();
        }
      },
      (error: ApiError) => {
        setHandover(null);
        onFailure(error);
      },
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when what is listed changes, not after every render
  useEffect(() => {
    if (handover?.state !== "waiting") {
      return;
    }
    const timer = setTimeout(() => ask(true), ASK_EVERY);
    return () => clearTimeout(timer);
  }, [handover]);
  if (handover) {
    const owner = `${handover.name || translate("page.daily.somebody")} #${handover.tag}`;
    return (
      <div class="notice me-arrive" role="alert">
        <p>
          {translate("page.me.arrive.ask", { name: owner })}{" "}
          {handover.games > 0 && translate("page.me.arrive.games", { count: handover.games })}
        </p>
        <p>
          <strong class="along-code">{handover.check}</strong>
        </p>
        {handover.state === "asked" ? (
          <div class="row">
            <button type="button" class="button primary" onClick={() => ask(true)}>
              <Icon name="check" /> {translate("page.me.arrive.agree")}
            </button>
            <button type="button" class="button" onClick={end}>
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
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        ask(false);
      }}
    >
      <input
        type="text"
        value={code}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-label={translate("page.me.along.enter")}
        placeholder={translate("page.me.along.enter")}
        onInput={(event) => setCode(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={code.trim() === ""}>
        {translate("page.me.along.go")}
      </button>
    </form>
  );
}
