import { afterEach, beforeEach, expect, it, vi } from "vitest";

const pageEvents = new EventTarget();
const settings = { sound: true };
vi.mock("../src/memory", () => ({ memory: { get: () => settings } }));

class FakeAudio {
  static all: FakeAudio[] = [];
  state = "suspended";
  sampleRate = 8000;
  destination = {};
  sounds = 0;

  constructor() {
    FakeAudio.all.push(this);
  }

  resume = vi.fn(async () => {
    this.state = "running";
  });

  createBuffer = (_: number, length: number): object => ({
    getChannelData: () => new Float32Array(length),
  });

  createBufferSource = (): object => ({
    connect: () => undefined,
    start: () => {
      this.sounds += 1;
    },
  });
}

let feedback: typeof import("../src/feedback");

beforeEach(async () => {
  vi.resetModules();
  FakeAudio.all = [];
  settings.sound = true;
  vi.stubGlobal("AudioContext", FakeAudio);
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("addEventListener", pageEvents.addEventListener.bind(pageEvents));
  feedback = await import("../src/feedback");
});

afterEach(() => vi.unstubAllGlobals());

it("starts the sound in a gesture and resumes it in a later one", async () => {
  feedback.giveFeedback("turn");
  expect(FakeAudio.all).toEqual([]);
  pageEvents.dispatchEvent(new Event("click"));
  const [audio] = FakeAudio.all as [FakeAudio];
  expect(audio.resume).toHaveBeenCalledOnce();
  feedback.giveFeedback("turn");
  await vi.waitFor(() => expect(audio.sounds).toBe(1));
  pageEvents.dispatchEvent(new Event("click"));
  expect(audio.resume).toHaveBeenCalledOnce();
  audio.state = "interrupted"; // a call on a phone
  pageEvents.dispatchEvent(new Event("keydown"));
  expect(audio.resume).toHaveBeenCalledTimes(2);
});

it("makes no sound when it is switched off", () => {
  settings.sound = false;
  pageEvents.dispatchEvent(new Event("click"));
  feedback.giveFeedback("turn");
  expect(FakeAudio.all).toEqual([]);
});

const RATE = 48000;
const LOUDEST = { roll: 0.7, write: 0.2, bonus: 0.3, turn: 0.4, end: 0.4 } as const;

const energy = (samples: Float32Array): number =>
  samples.reduce((sum, sample) => sum + sample * sample, 0);

/** Return the share of the energy that passes a filter of 300 Hz: small speakers play it. */
function shareOnPhones(samples: Float32Array): number {
  const factor = 1 / (1 + (2 * Math.PI * 300) / RATE);
  let passed = 0;
  return (
    energy(
      samples.map((sample, n) => {
        passed = factor * (passed + sample - (samples[n - 1] ?? 0));
        return passed;
      }),
    ) / energy(samples)
  );
}

it.each(Object.entries(LOUDEST))(
  "%s neither clips nor clicks, and is heard on a phone",
  async (kind, loudest) => {
    const { synthesise } = await import("../src/sounds");
    const samples = synthesise(kind as keyof typeof LOUDEST, RATE);
    expect(Math.max(...samples.map(Math.abs))).toBeCloseTo(loudest);
    expect(Math.abs(samples[0] ?? 1)).toBeLessThan(0.3 * loudest);
    expect(samples.at(-1)).toBeCloseTo(0);
    expect(energy(samples) / samples.length).toBeGreaterThan(0.0005);
    expect(shareOnPhones(samples)).toBeGreaterThan(0.75);
  },
);

it("no two rolls sound alike", async () => {
  const { synthesise } = await import("../src/sounds");
  expect(synthesise("roll", 8000)).not.toEqual(synthesise("roll", 8000));
});
