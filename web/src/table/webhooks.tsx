import type { JSX } from "preact";
import { useState } from "preact/hooks";
import "../styles/webhooks.css";
import {
  addWebhook,
  askWebhook,
  setWebhookEvents,
  setWebhookTable,
  type WebhookKind,
} from "../me/calls";
import type { Calls, Webhook, WebhookEvents } from "../protocol";
import { translate } from "../translate";
import { Select, useConfirmation } from "../ui/forms";
import { Failure } from "../ui/notices";

/** The services by name, with an example of an address. */
const SERVICES: Record<WebhookKind, readonly [name: string, example: string]> = {
  discord: ["Discord", "https://discord.com/api/webhooks/…"],
  slack: ["Slack", "https://hooks.slack.com/services/…"],
  ntfy: ["ntfy", "https://ntfy.sh/…"],
  matrix: ["Matrix", "https://…/send/m.room.message/{id}?access_token=…"],
};
const EVENTS = ["turns", "finished", "daily"] as const;

/** The webhooks of this person, which write to the chats of groups. */
export function Webhooks({
  table,
  calls,
  onChange,
}: {
  table: string;
  calls: Calls;
  onChange: (calls: Calls) => void;
}): JSX.Element {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const [tested, setTested] = useState("");
  const run = (request: Promise<Calls>, done: () => void = () => undefined): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setTested("");
    return request
      .then((answer) => {
        onChange(answer);
        done();
      })
      .catch(setFailure)
      .finally(() => setBusy(false));
  };
  return (
    <details class="webhooks" open={calls.webhooks.length > 0}>
      <summary>{translate("page.webhook")}</summary>
      <p class="hint-line">{translate("page.webhook.how")}</p>
      {calls.webhooks.map((webhook) => (
        <WebhookPanel
          key={webhook.id}
          webhook={webhook}
          table={table}
          busy={busy}
          tested={tested === webhook.id}
          onTable={(on) => run(setWebhookTable(webhook.id, table, on))}
          onEvents={(events) => run(setWebhookEvents(webhook.id, events))}
          onTest={() => run(askWebhook("/test", webhook.id), () => setTested(webhook.id))}
          onRemove={() => run(askWebhook("/remove", webhook.id))}
        />
      ))}
      <Failure text={failure?.message} />
      <AddForm busy={busy} onAdd={(kind, url, done) => run(addWebhook(table, kind, url), done)} />
    </details>
  );
}

function WebhookPanel({
  webhook,
  table,
  busy,
  tested,
  onTable,
  onEvents,
  onTest,
  onRemove,
}: {
  webhook: Webhook;
  table: string;
  busy: boolean;
  tested: boolean;
  onTable: (on: boolean) => Promise<void>;
  onEvents: (events: WebhookEvents) => Promise<void>;
  onTest: () => void;
  onRemove: () => void;
}): JSX.Element {
  const { turns, finished, daily } = webhook;
  const removal = useConfirmation(onRemove);
  const name = `${SERVICES[webhook.kind][0]} · ${webhook.host}`;
  return (
    <fieldset disabled={busy}>
      <legend>{name}</legend>
      <Check
        text={translate("page.webhook.here")}
        checked={webhook.tables.includes(table)}
        onChange={onTable}
      />
      {EVENTS.map((event) => (
        <Check
          key={event}
          text={translate(`page.webhook.${event}`)}
          checked={webhook[event]}
          onChange={(on) => onEvents({ turns, finished, daily, [event]: on })}
        />
      ))}
      <p class="row">
        <button type="button" class="button small" onClick={onTest}>
          {translate("page.webhook.test")}
        </button>
        <button type="button" class="button small" {...removal.handlers}>
          {translate(removal.confirming ? "page.webhook.remove.sure" : "page.webhook.remove")}
        </button>
      </p>
      {tested && <p role="status">{translate("page.webhook.tested")}</p>}
    </fieldset>
  );
}

function Check({
  text,
  checked,
  onChange,
}: {
  text: string;
  checked: boolean;
  onChange: (on: boolean) => Promise<void>;
}): JSX.Element {
  /** What the player has chosen, until the server answers. */
  const [wanted, setWanted] = useState<boolean | null>(null);
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={wanted ?? checked}
        onChange={(event) => {
          setWanted(event.currentTarget.checked);
          void onChange(event.currentTarget.checked).finally(() => setWanted(null));
        }}
      />{" "}
      {text}
    </label>
  );
}

function AddForm({
  busy,
  onAdd,
}: {
  busy: boolean;
  onAdd: (kind: WebhookKind, url: string, done: () => void) => void;
}): JSX.Element {
  const [kind, setKind] = useState<WebhookKind>("discord");
  const [url, setUrl] = useState("");
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd(kind, url.trim(), () => setUrl(""));
      }}
    >
      <Select
        label={translate("page.webhook.kind")}
        value={kind}
        options={Object.entries(SERVICES).map(([key, [name]]) => [key, name])}
        onChange={(value) => setKind(value as WebhookKind)}
      />
      <input
        type="text"
        inputMode="url"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-label={translate("page.webhook.url")}
        placeholder={SERVICES[kind][1]}
        value={url}
        onInput={(event) => setUrl(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={busy || url.trim() === ""}>
        {translate("page.webhook.add")}
      </button>
    </form>
  );
}
