import { afterEach, beforeEach, expect, it, vi } from "vitest";

const pageEvents = new EventTarget();
const settings = { sound: true };
vi.mock("../src/memory", () => ({ memory: { get: () => settings } }));

class FakeAudio {
  static all: FakeAudio[] = [];
  state = "suspended";
  currentTime = 0;
  sampleRate = 8;
  destination = {};
  tones = 0;

  constructor() {
    FakeAudio.all.push(this);
  }

  resume = vi.fn(async () => {
    this.state = "running";
  });

  createGain = (): object => ({
    gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
    connect: () => undefined,
  });

  createOscillator = (): object => {
    this.tones += 1;
    const nothing = (): void => undefined;
    return { frequency: {}, connect: nothing, start: nothing, stop: nothing };
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

afterEach(() => vi.unstubAllGlobals());

it("starts the sound in a gesture and resumes it in a later one", () => {
  feedback.giveFeedback("turn");
  expect(FakeAudio.all).toEqual([]);
  pageEvents.dispatchEvent(new Event("click"));
  const [audio] = FakeAudio.all as [FakeAudio];
  expect(audio.resume).toHaveBeenCalledOnce();
  feedback.giveFeedback("turn");
  expect(audio.tones).toBe(2);
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
