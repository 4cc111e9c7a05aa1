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
  computed = 0;
  rates = new Set<number>();

  constructor() {
    FakeAudio.all.push(this);
  }

  resume = vi.fn(async () => {
    this.state = "running";
  });

  suspend = vi.fn(async () => {
    this.state = "suspended";
  });

  createBuffer = (_: number, length: number): object => {
    this.computed += 1;
    return { getChannelData: () => new Float32Array(length) };
  };

  createBufferSource = (): object => {
    const source = {
      playbackRate: { value: 1 },
      connect: () => undefined,
      start: () => {
        this.sounds += 1;
        this.rates.add(source.playbackRate.value);
      },
    };
    return source;
  };
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

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

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

it("tries again in every gesture until the browser lets it start", async () => {
  vi.useFakeTimers();
  pageEvents.dispatchEvent(new Event("keydown"));
  const [audio] = FakeAudio.all as [FakeAudio];
  audio.state = "suspended"; // this key was no interaction to the browser
  await vi.advanceTimersByTimeAsync(5000);
  pageEvents.dispatchEvent(new Event("click"));
  expect(audio.state).toBe("running");
});

it("computes a sound once and plays it higher or lower each time", async () => {
  pageEvents.dispatchEvent(new Event("click"));
  const [audio] = FakeAudio.all as [FakeAudio];
  for (const times of [1, 2, 3]) {
    feedback.giveFeedback("roll");
    await vi.waitFor(() => expect(audio.sounds).toBe(times));
  }
  expect(audio.computed).toBe(1);
  expect(audio.rates.size).toBe(3);
});

it("stops in silence, and starts again for a sound without a gesture", async () => {
  vi.useFakeTimers();
  pageEvents.dispatchEvent(new Event("click"));
  const [audio] = FakeAudio.all as [FakeAudio];
  feedback.giveFeedback("end");
  await vi.waitFor(() => expect(audio.sounds).toBe(1));
  await vi.advanceTimersByTimeAsync(1600); // the longest sound lasts 1.5 seconds
  expect(audio.state).toBe("running");
  await vi.advanceTimersByTimeAsync(1000);
  expect(audio.state).toBe("suspended");
  pageEvents.dispatchEvent(new Event("click")); // nothing is heard, so it sleeps on
  expect(audio.state).toBe("suspended");
  feedback.giveFeedback("end");
  await vi.waitFor(() => expect(audio.sounds).toBe(2));
  expect(audio.state).toBe("running");
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
