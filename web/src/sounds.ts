/**
 * Sounds, computed as samples: dice on felt, a pencil on paper, and bars of wood. Each is a sum of
 * decaying tones and filtered noise, played a little higher or lower each time.
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
/** The loudest sample: what is heard often is softer. */
const LOUDEST: Readonly<Record<Sound, number>> = {
  roll: 0.7,
  write: 0.2,
  bonus: 0.3,
  turn: 0.4,
  end: 0.4,
};
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
type Mode = readonly [hertz: number, loudness: number, decay: number];

/** Overtones of a wooden bar: ratio, loudness, decay in seconds. */
const BAR: readonly Mode[] = [
  [1, 1, 0.28],
  [3.93, 0.28, 0.09],
  [9.2, 0.08, 0.03],
];
/** What a die sounds like, and the table below the felt. Small speakers play little below 300 Hz. */
const DIE: readonly Mode[] = [
  [1700, 0.5, 0.009],
  [2800, 0.4, 0.007],
  [4300, 0.25, 0.005],
];
const TABLE: readonly Mode[] = [
  [180, 0.14, 0.02],
  [450, 0.35, 0.014],
];
const LAST_BOUNCE = 0.75;

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
  return levelled(samples, rate, LOUDEST[sound]);
}

/** Dice hit the felt and bounce, each time sooner and softer; some hit each other. */
function roll(samples: Float32Array, rate: number, random: Random): void {
  for (let die = 0; die < DICE; die += 1) {
    const pitch = 0.85 + 0.3 * random();
    let at = 0.02 + 0.14 * random();
    let gap = 0.12 + 0.07 * random();
    let loudness = 0.7 + 0.3 * random();
    while (gap > 0.02 && at < LAST_BOUNCE) {
      addImpact(samples, rate, at, loudness, pitch, [...TABLE, ...DIE], random);
      at += gap;
      gap *= 0.55 + 0.2 * random();
      loudness *= 0.68;
    }
  }
  for (let hit = 0; hit < DICE / 2; hit += 1) {
    addImpact(samples, rate, 0.04 + 0.3 * random(), 0.6, 1.1 + 0.3 * random(), DIE, random);
  }
}

/** One hit: the modes of what is hit, and the noise of the edge. */
function addImpact(
  samples: Float32Array,
  rate: number,
  at: number,
  loudness: number,
  pitch: number,
  modes: readonly Mode[],
  random: Random,
): void {
  for (const [hertz, share, decay] of modes) {
    addTone(samples, rate, hertz * pitch, at, share * loudness, decay);
  }
  addNoise(samples, rate, at, 0.9 * loudness, 0.003, 6000, random);
}

/** Two strokes of a pencil: soft noise that swells and fades, with the grain of paper. */
function write(samples: Float32Array, rate: number, random: Random): void {
  for (const [start, length] of [
    [0, 0.1],
    [0.14, 0.12],
  ] as const) {
    let smooth = 0;
    const below = passing(4000, rate);
    const first = Math.round(start * rate);
    const count = Math.round(length * rate);
    for (let n = 0; n < count; n += 1) {
      const grain = 0.6 + 0.4 * Math.sin((2 * Math.PI * 90 * n) / rate);
      smooth += below * (2 * random() - 1 - smooth);
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

/** Add a decaying burst of noise below a frequency. */
function addNoise(
  samples: Float32Array,
  rate: number,
  start: number,
  loudness: number,
  decay: number,
  hertz: number,
  random: Random,
): void {
  let smooth = 0;
  const below = passing(hertz, rate);
  const first = Math.round(start * rate);
  const last = Math.min(samples.length, first + Math.round(6 * decay * rate));
  for (let n = first; n < last; n += 1) {
    smooth += below * (2 * random() - 1 - smooth);
    samples[n] = (samples[n] ?? 0) + loudness * smooth * Math.exp((first - n) / (rate * decay));
  }
}

/** Return the factor of a filter that passes what is below a frequency. */
const passing = (hertz: number, rate: number): number =>
  1 - Math.exp((-2 * Math.PI * hertz) / rate);

/** Scale to a peak, and fade out, so that nothing clicks. */
function levelled(samples: Float32Array, rate: number, loudest: number): Float32Array {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const fade = Math.round(0.02 * rate);
  return samples.map(
    (sample, n) => (loudest / peak) * sample * Math.min(1, (samples.length - 1 - n) / fade),
  );
}
