/** A result as text and as a picture, to share. */
import { saveFile } from "../sharing";

export interface SharedResult {
  title: string;
  /** The day of the game, and its place in the daily challenge if it is one. */
  day: string;
  /** The rating of a solo game, or an empty text. */
  rating: string;
  points: string;
  /** The skill of the player in this game, or an empty text. */
  skill: string;
  players: readonly { name: string; points: number; place: number }[];
  /** The parts of the own score, with the colour that the game gives them. */
  parts: readonly { name: string; words: string; points: number; colour: string }[];
  link: string;
}

/** Signs of the parts of a score, by the name of its colour. */
const SIGNS: Readonly<Record<string, string>> = {
  yellow: "🟨",
  blue: "🟦",
  green: "🟩",
  orange: "🟧",
  purple: "🟪",
  pink: "🟪",
  red: "🟥",
  silver: "⬜",
  fox: "🦊",
  foxes: "🦊",
  luck: "🍀",
};
const OTHER_SIGN = "🔶";
const MOST_SIGNS = 6;

/** Return the shared text: the day, the points, a row of squares for each area, and the link. */
export function resultText(result: SharedResult): string {
  const ranked = [...result.players].sort((a, b) => a.place - b.place);
  const most = Math.max(1, ...result.parts.map(({ points }) => points));
  return [
    `${result.title} · ${result.day}`,
    ranked.length === 1
      ? [result.points, result.rating].filter((text) => text !== "").join(" · ")
      : ranked.map(({ name, points, place }) => `${place}. ${name} ${points}`).join(", "),
    ...(result.skill === "" ? [] : [result.skill]),
    ...result.parts
      .filter(({ points }) => points > 0)
      .map(
        ({ name, points }) =>
          `${(SIGNS[name] ?? OTHER_SIGN).repeat(Math.ceil((MOST_SIGNS * points) / most))} ${points}`,
      ),
    result.link,
  ].join("\n");
}

const SIZE = 1080;
const MARGIN = 80;
const INK = "#2c241b";
const FAINT = "#7a6a55";
const COLOURS = [
  "#d9622b",
  "#3a74c4",
  "#2f8049",
  "#7d52bd",
  "#b0346b",
  "#16808a",
  "#94711a",
  "#5b6472",
];

/** Draw the result, and share the picture where the system can, otherwise save it. */
export async function sharePicture(result: SharedResult): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  drawResult(canvas, result);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!blob) {
    return;
  }
  const file = new File([blob], "fox-and-clover.png", { type: blob.type });
  if ("canShare" in navigator && navigator.canShare({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => undefined);
    return;
  }
  saveFile(file.name, file);
}

function drawResult(canvas: HTMLCanvasElement, result: SharedResult): void {
  const context = canvas.getContext("2d");
  if (!context) {
    return;
  }
  const write = (
    text: string,
    x: number,
    y: number,
    size: number,
    style: { weight?: number; colour?: string; align?: CanvasTextAlign; width?: number } = {},
  ): void => {
    context.font = `${style.weight ?? 700} ${size}px Nunito, system-ui, sans-serif`;
    context.fillStyle = style.colour ?? INK;
    context.textAlign = style.align ?? "left";
    context.fillText(text, x, y, style.width ?? SIZE - 2 * MARGIN);
  };
  const bar = (y: number, share: number, height: number, colour: string): void => {
    context.fillStyle = "#efe4cf";
    context.beginPath();
    context.roundRect(MARGIN, y, SIZE - 2 * MARGIN, height, height / 2);
    context.fill();
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(
      MARGIN,
      y,
      Math.max(height, (SIZE - 2 * MARGIN) * Math.max(share, 0)),
      height,
      height / 2,
    );
    context.fill();
  };
  const colours = result.parts.map(({ colour }) => colour).filter((colour) => colour !== "");
  const cloth = context.createLinearGradient(0, 0, SIZE, 0);
  (colours.length > 1 ? colours : COLOURS.slice(0, 4)).forEach((colour, at, all) =>
    cloth.addColorStop(at / (all.length - 1), colour),
  );
  context.fillStyle = "#faf4e8";
  context.fillRect(0, 0, SIZE, SIZE);
  context.fillStyle = cloth;
  context.fillRect(0, 0, SIZE, 28);
  context.fillRect(0, SIZE - 28, SIZE, 28);
  write(result.title, MARGIN, 130, 64);
  write(result.day, MARGIN, 182, 32, { weight: 400, colour: FAINT });
  const ranked = [...result.players].sort((a, b) => a.place - b.place);
  const isSolo = ranked.length === 1;
  const head = isSolo ? 470 : 270;
  if (isSolo) {
    write(String(ranked[0]?.points ?? 0), MARGIN, 370, 190);
    write(
      [result.rating, result.skill].filter((text) => text !== "").join(" · "),
      MARGIN,
      425,
      36,
      {
        weight: 400,
        colour: FAINT,
      },
    );
  } else {
    write(result.skill, MARGIN, 228, 32, { weight: 400, colour: FAINT });
  }
  const rows = isSolo
    ? result.parts.map(({ words, points, colour }) => ({ words, points, colour }))
    : ranked.map(({ name, points, place }) => ({
        words: `${place}. ${name}`,
        points,
        colour: "",
      }));
  const most = Math.max(1, ...rows.map(({ points }) => points));
  const room = Math.min(isSolo ? 110 : 170, (SIZE - 110 - head) / Math.max(1, rows.length));
  rows.forEach(({ words, points, colour }, at) => {
    const y = head + at * room;
    write(words, MARGIN, y + 0.42 * room, 0.32 * room, { width: SIZE - 2 * MARGIN - 160 });
    write(String(points), SIZE - MARGIN, y + 0.42 * room, 0.34 * room, { align: "right" });
    bar(
      y + 0.54 * room,
      points / most,
      0.2 * room,
      colour || (COLOURS[at % COLOURS.length] ?? INK),
    );
  });
  write("Fox & Clover", MARGIN, SIZE - 60, 34);
  write(location.host, SIZE - MARGIN, SIZE - 60, 28, {
    weight: 400,
    colour: FAINT,
    align: "right",
    width: 500,
  });
}
