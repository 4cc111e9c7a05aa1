/** Synthesised sounds, vibration, and notifications of the player's turn. */
import { memory } from "./memory";
import type { Sound } from "./sounds";

export type Feedback = Sound;

const VIBRATIONS: Partial<Record<Feedback, number | number[]>> = {
  roll: [12, 30, 12, 40, 18],
  turn: 40,
  bonus: 20,
  end: [30, 60, 30, 60, 80],
};
let context: AudioContext | null = null;

/** Start or resume the sound: browsers allow that only while they handle an interaction. */
function unlockSound(): void {
  if (memory.get().sound) {
    context ??= new AudioContext();
    if (context.state !== "running") {
      // It is also stopped by calls and by other apps.
      context.resume().catch(() => undefined);
    }
  }
}

for (const gesture of ["pointerup", "click", "keydown"]) {
  addEventListener(gesture, unlockSound, { capture: true, passive: true });
}

export function giveFeedback(kind: Feedback): void {
  if (!memory.get().sound || context === null || document.hidden) {
    return; // nobody has interacted with the page
  }
  void play(context, kind);
  const vibration = VIBRATIONS[kind];
  if (vibration !== undefined && "vibrate" in navigator) {
    navigator.vibrate(vibration);
  }
}

async function play(audio: AudioContext, sound: Sound): Promise<void> {
  const { synthesise } = await import("./sounds");
  const samples = synthesise(sound, audio.sampleRate);
  const buffer = audio.createBuffer(1, samples.length, audio.sampleRate);
  buffer.getChannelData(0).set(samples);
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.connect(audio.destination);
  source.start();
}

/** Ask for the permission to notify; return whether it is granted. */
export async function requestNotifications(): Promise<boolean> {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** Notify the player if the page is hidden and notifications are switched on. */
export async function notify(title: string, text: string): Promise<void> {
  if (
    !document.hidden ||
    !memory.get().notify ||
    !("Notification" in window) ||
    Notification.permission !== "granted"
  ) {
    return;
  }
  const notice = { body: text, tag: "turn" };
  try {
    new Notification(title, notice).onclick = () => window.focus();
  } catch {
    // Phones allow notifications only from a service worker.
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, notice);
  }
}

/** Whether animations are allowed, by the system and by the setting. */
export function allowsMotion(): boolean {
  return memory.get().motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
