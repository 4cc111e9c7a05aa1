/** Notifications of the player's turn while the page is closed (Web Push), on this device. */
import { fromBase64url, toBase64url } from "../base64url";
import { tokensOf } from "../memory";
import type {
  AddWebhook,
  CallMe,
  CallSettings,
  Calls,
  WebhookEvents,
  WebhookTable,
} from "../protocol";
import { askMe } from "./identity";

/** Why this browser cannot be called: a key of `page.call.*`, or null if it can. */
export type Obstacle = "insecure" | "install" | "unsupported" | "denied" | null;

interface BrowserFacts {
  isSecureContext: boolean;
  hasPush: boolean;
  userAgent: string;
  permission: NotificationPermission | null;
}

export function obstacleOf(facts: BrowserFacts): Obstacle {
  if (!facts.isSecureContext) {
    return "insecure";
  }
  if (!facts.hasPush) {
    // Safari on phones and tablets offers push only to installed pages.
    return /iPhone|iPad/.test(facts.userAgent) ? "install" : "unsupported";
  }
  return facts.permission === "denied" ? "denied" : null;
}

export const obstacle = (): Obstacle =>
  obstacleOf({
    isSecureContext,
    hasPush: "serviceWorker" in navigator && "PushManager" in window && "Notification" in window,
    userAgent: navigator.userAgent,
    permission: "Notification" in window ? Notification.permission : null,
  });

export const fetchCalls = (): Promise<Calls> => askMe("/calls");
export const changeCalls = (settings: CallSettings): Promise<Calls> =>
  askMe("/call/settings", { settings: local(settings) });

/** Ask for the permission, and call this device to a table from now on. */
export async function callMe(table: string, { key, settings }: Calls): Promise<Calls | Obstacle> {
  if ((await Notification.requestPermission()) !== "granted") {
    return "denied";
  }
  const subscription = await subscribe(key);
  const [publicKey, auth] = [subscription.getKey("p256dh"), subscription.getKey("auth")];
  if (publicKey === null || auth === null) {
    return "unsupported";
  }
  return askMe("/call", {
    table,
    seats: [...tokensOf(table)],
    endpoint: subscription.endpoint,
    public: toBase64url(new Uint8Array(publicKey)),
    auth: toBase64url(new Uint8Array(auth)),
    settings: local(settings),
  } satisfies Omit<CallMe, "token">);
}

/** Call this device no more, to one table or to all; the last one ends the subscription. */
export async function stopCalls(table?: string): Promise<Calls> {
  const calls = await askMe<Calls>("/call/stop", table === undefined ? {} : { table });
  if (calls.tables.length === 0) {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  }
  return calls;
}

async function subscribe(key: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = fromBase64url(key);
  const known = await pushManager.getSubscription();
  // A server that was set up again has another key.
  if (known !== null && !isSame(known.options.applicationServerKey, applicationServerKey)) {
    await known.unsubscribe();
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

function isSame(known: ArrayBuffer | null, key: Uint8Array): boolean {
  return known === null || toBase64url(new Uint8Array(known)) === toBase64url(key);
}

/** Return settings with the time zone of this device. */
const local = (settings: CallSettings): CallSettings => ({ ...settings, offset: utcOffset() });

/** The minutes of this device's time before UTC's. */
const utcOffset = (): number => -new Date().getTimezoneOffset();

export type WebhookKind = AddWebhook["kind"];

/** Add a webhook, which writes to a chat about a table. */
export const addWebhook = (table: string, kind: WebhookKind, url: string): Promise<Calls> =>
  askMe("/webhook", {
    table,
    seats: [...tokensOf(table)],
    kind,
    url,
    offset: utcOffset(),
  } satisfies Omit<AddWebhook, "token">);

export const setWebhookTable = (webhook: string, table: string, on: boolean): Promise<Calls> =>
  askMe("/webhook/table", {
    webhook,
    table,
    seats: [...tokensOf(table)],
    on,
  } satisfies Omit<WebhookTable, "token">);

export const setWebhookEvents = (webhook: string, events: WebhookEvents): Promise<Calls> =>
  askMe("/webhook/events", { webhook, events });

export const askWebhook = (path: "/test" | "/remove", webhook: string): Promise<Calls> =>
  askMe(`/webhook${path}`, { webhook });

/** Return a minute of the day as the value of a time field, and back. */
export const asTime = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

export function asMinute(time: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(time) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}
