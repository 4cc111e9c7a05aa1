/**
 * Sounds, computed as samples: dice on felt, a pencil on paper, and bars of wood. Each is a sum of
 * decaying tones and filtered noise, a little different every time.
 */
export type Sound = "roll" | "write" | "bonus" | "turn" | "end";

type Random = () => number;

const SECONDS: Readonly<Record<Sound, number>> = {
  roll: 0.85,
  write: 0.3,
  bonus: 0.7,
  turn: 0.7,
  end: 1.5,
};
const LOUDEST = 0.5;
const DICE = 6;
/** Notes of the wooden bars as [hertz, start in seconds]. */
const NOTES: Readonly<Record<"bonus" | "turn" | "end", readonly (readonly [number, number])[]>> = {
  bonus: [
    [784, 0],
    [1175, 0.09],
  ],
  turn: [
    [523, 0],
    [659, 0.13],
  ],
  end: [
    [523, 0],
    [659, 0.13],
    [784, 0.26],
    [1047, 0.42],
  ],
};
/** Overtones of a wooden bar: ratio, loudness, decay in seconds. */
const BAR = [
  [1, 1, 0.28],
  [3.93, 0.28, 0.09],
  [9.2, 0.08, 0.03],
] as const;

/** Return the samples of a sound, from -1 to 1. */
export function synthesise(sound: Sound, rate: number, random: Random = Math.random): Float32Array {
  const samples = new Float32Array(Math.ceil(SECONDS[sound] * rate));
  if (sound === "roll") {
    roll(samples, rate, random);
  } else if (sound === "write") {
    write(samples, rate, random);
  } else {
    for (const [hertz, start] of NOTES[sound]) {
      for (const [ratio, loudness, decay] of BAR) {
        addTone(samples, rate, hertz * ratio, start, loudness, decay);
      }
    }
  }
  return levelled(samples, rate);
}

/** Dice hit the felt and bounce, each time sooner and softer; some hit each other. */
function roll(samples: Float32Array, rate: number, random: Random): void {
  for (let die = 0; die < DICE; die += 1) {
    const pitch = 0.85 + 0.3 * random();
    let at = 0.02 + 0.14 * random();
    let gap = 0.13 + 0.08 * random();
    let loudness = 0.7 + 0.3 * random();
    while (gap > 0.018 && at < 0.7) {
      addTone(samples, rate, 140 * pitch, at, 0.5 * loudness, 0.03); // the table
      addTone(samples, rate, 1750 * pitch, at, 0.35 * loudness, 0.012); // the die
      addTone(samples, rate, 2900 * pitch, at, 0.2 * loudness, 0.008);
      addNoise(samples, rate, at, 0.6 * loudness, 0.006, 0.45, random); // the edge
      at += gap;
      gap *= 0.5 + 0.15 * random();
      loudness *= 0.6;
    }
  }
}

/** Two strokes of a pencil: soft noise that swells and fades, with the grain of paper. */
function write(samples: Float32Array, rate: number, random: Random): void {
  for (const [start, length] of [
    [0, 0.1],
    [0.14, 0.12],
  ] as const) {
    let smooth = 0;
    const first = Math.round(start * rate);
    const count = Math.round(length * rate);
    for (let n = 0; n < count; n += 1) {
      const grain = 0.6 + 0.4 * Math.sin((2 * Math.PI * 90 * n) / rate);
      smooth += 0.5 * (2 * random() - 1 - smooth);
      samples[first + n] =
        (samples[first + n] ?? 0) + smooth * grain * Math.sin((Math.PI * n) / count);
    }
  }
}

function addTone(
  samples: Float32Array,
  rate: number,
  hertz: number,
  start: number,
  loudness: number,
  decay: number,
): void {
  const first = Math.round(start * rate);
  const last = Math.min(samples.length, first + Math.round(7 * decay * rate));
  for (let n = first; n < last; n += 1) {
    const time = (n - first) / rate;
    samples[n] =
      (samples[n] ?? 0) + loudness * Math.exp(-time / decay) * Math.sin(2 * Math.PI * hertz * time);
  }
}

/** Add a decaying burst of noise; the smaller `bright`, the duller. */
function addNoise(
  samples: Float32Array,
  rate: number,
  start: number,
  loudness: number,
  decay: number,
  bright: number,
  random: Random,
): void {
  let smooth = 0;
  const first = Math.round(start * rate);
  const last = Math.min(samples.length, first + Math.round(6 * decay * rate));
  for (let n = first; n < last; n += 1) {
    smooth += bright * (2 * random() - 1 - smooth);
    samples[n] = (samples[n] ?? 0) + loudness * smooth * Math.exp((first - n) / (rate * decay));
  }
}

/** Scale to the same loudness, and fade out, so that nothing clicks. */
function levelled(samples: Float32Array, rate: number): Float32Array {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const fade = Math.round(0.02 * rate);
  return samples.map(
    (sample, n) => (LOUDEST / peak) * sample * Math.min(1, (samples.length - 1 - n) / fade),
  );
}
