/** Synthesised sounds, vibration, and notifications of the player's turn. */
import { memory } from "./memory";

export type Feedback = "roll" | "write" | "bonus" | "turn" | "end";

/** Tones as [hertz, start, length] in seconds; 0 hertz is the noise of dice. */
const SOUNDS: Record<Feedback, readonly (readonly [number, number, number])[]> = {
  roll: [
    [0, 0, 0.05],
    [0, 0.08, 0.05],
    [0, 0.15, 0.04],
    [0, 0.24, 0.06],
  ],
  write: [
    [0, 0, 0.03],
    [0, 0.07, 0.03],
  ],
  bonus: [
    [660, 0, 0.09],
    [880, 0.09, 0.14],
  ],
  turn: [
    [520, 0, 0.1],
    [650, 0.12, 0.14],
  ],
  end: [
    [520, 0, 0.12],
    [650, 0.12, 0.12],
    [780, 0.24, 0.12],
    [1040, 0.36, 0.3],
  ],
};
const VIBRATIONS: Partial<Record<Feedback, number | number[]>> = {
  roll: [12, 30, 12, 40, 18],
  turn: 40,
  bonus: 20,
  end: [30, 60, 30, 60, 80],
};
const VOLUME = 0.08;

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
  for (const [hertz, start, length] of SOUNDS[kind]) {
    playTone(context, hertz, context.currentTime + start, length);
  }
  const vibration = VIBRATIONS[kind];
  if (vibration !== undefined && "vibrate" in navigator) {
    navigator.vibrate(vibration);
  }
}

function playTone(audio: AudioContext, hertz: number, start: number, length: number): void {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  volume.connect(audio.destination);
  const source = hertz > 0 ? oscillator(audio, hertz) : noise(audio, length);
  source.connect(volume);
  source.start(start);
  source.stop(start + length);
}

function oscillator(audio: AudioContext, hertz: number): OscillatorNode {
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = hertz;
  return source;
}

function noise(audio: AudioContext, length: number): AudioBufferSourceNode {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  samples.forEach((_, at) => (samples[at] = Math.random() * 2 - 1));
  const source = audio.createBufferSource();
  source.buffer = buffer;
  return source;
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
