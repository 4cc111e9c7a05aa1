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
/** A running context keeps a processor awake, so it stops after this silence. */
const SILENCE_MS = 2000;
const PITCHES = { lowest: 0.96, highest: 1.04 };
let context: AudioContext | null = null;
let asleep = false; // stopped after a silence, not by the browser
let silence: ReturnType<typeof setTimeout>;
const buffers = new Map<Sound, AudioBuffer>();

/** Start or resume the sound: browsers allow that only while they handle an interaction. */
function unlockSound(): void {
  if (!memory.get().sound) {
    return;
  }
  if (context === null) {
    context = new AudioContext();
    wake(context);
  } else if (context.state === "interrupted" || (context.state === "suspended" && !asleep)) {
    wake(context); // calls and other apps interrupt it
  }
}

function wake(audio: AudioContext): void {
  asleep = false;
  if (audio.state !== "running") {
    audio.resume().catch(() => undefined);
  }
  clearTimeout(silence);
  silence = setTimeout(() => {
    if (audio.state === "running") {
      asleep = true;
      audio.suspend().catch(() => undefined);
    }
  }, SILENCE_MS);
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
  let buffer = buffers.get(sound);
  if (buffer === undefined) {
    const { synthesise } = await import("./sounds");
    const samples = synthesise(sound, audio.sampleRate);
    buffer = audio.createBuffer(1, samples.length, audio.sampleRate);
    buffer.getChannelData(0).set(samples);
    buffers.set(sound, buffer);
  }
  wake(audio);
  const source = audio.createBufferSource();
  source.buffer = buffer;
  source.playbackRate.value = PITCHES.lowest + Math.random() * (PITCHES.highest - PITCHES.lowest);
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
