/** A result as text and as a picture, to share. */
import { serverPath } from "../base";
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
const LOGO = 140;
/** The end of the bars, and the least height of one with its words. */
const FOOT = SIZE - 110;
const LEAST_ROOM = 45;
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

type Row = Omit<SharedResult["parts"][number], "name">;

/** Draw the result, and share the picture where the system can, otherwise save it. */
export async function sharePicture(result: SharedResult): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  const logo = new Image();
  logo.src = serverPath("/favicon.svg");
  await logo.decode().catch(() => undefined); // without a connection, the picture has none
  drawResult(canvas, result, logo);
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

function drawResult(canvas: HTMLCanvasElement, result: SharedResult, logo: HTMLImageElement): void {
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
    const width = SIZE - 2 * MARGIN;
    for (const [fill, length] of [
      ["#efe4cf", width],
      [colour, share > 0 ? Math.max(height, width * share) : 0],
    ] as const) {
      context.fillStyle = fill;
      context.beginPath();
      context.roundRect(MARGIN, y, length, height, height / 2);
      context.fill();
    }
  };
  const bars = (rows: readonly Row[], top: number, room: number): void => {
    const most = Math.max(1, ...rows.map(({ points }) => points));
    rows.forEach(({ words, points, colour }, at) => {
      const y = top + at * room;
      write(words, MARGIN, y + 0.42 * room, 0.32 * room, { width: SIZE - 2 * MARGIN - 160 });
      write(String(points), SIZE - MARGIN, y + 0.42 * room, 0.34 * room, { align: "right" });
      bar(
        y + 0.54 * room,
        points / most,
        0.2 * room,
        colour || (COLOURS[at % COLOURS.length] ?? INK),
      );
    });
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
  const head = SIZE - 2 * MARGIN - LOGO - 20;
  write(result.title, MARGIN, 130, 64, { width: head });
  write(result.day, MARGIN, 182, 32, { weight: 400, colour: FAINT, width: head });
  if (logo.naturalWidth > 0) {
    context.drawImage(logo, SIZE - MARGIN - LOGO, 64, LOGO, LOGO);
  }
  const players = [...result.players]
    .sort((a, b) => a.place - b.place)
    .map(({ name, points, place }): Row => ({ words: `${place}. ${name}`, points, colour: "" }));
  let top = 470;
  if (players.length === 1) {
    write(String(players[0]?.points ?? 0), MARGIN, 370, 190);
    const facts = [result.rating, result.skill].filter((text) => text !== "").join(" · ");
    write(facts, MARGIN, 425, 36, { weight: 400, colour: FAINT });
  } else {
    write(result.skill, MARGIN, 228, 32, { weight: 400, colour: FAINT });
    const room = Math.min(120, (FOOT - 270) / players.length);
    bars(players, 270, room);
    top = 270 + players.length * room + 40;
  }
  const room = Math.min(110, (FOOT - top) / Math.max(1, result.parts.length));
  if (room >= LEAST_ROOM) {
    bars(result.parts, top, room);
  }
  write("Fox & Clover", MARGIN, SIZE - 60, 34);
  write(location.host, SIZE - MARGIN, SIZE - 60, 28, {
    weight: 400,
    colour: FAINT,
    align: "right",
    width: 500,
  });
}
