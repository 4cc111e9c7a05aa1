/** A result as text and as a picture, to share. */
import { saveFile } from "../sharing";

interface ResultLine {
  name: string;
  points: number;
  place: number;
}

export function resultText(title: string, lines: readonly ResultLine[]): string {
  const ranked = [...lines].sort((a, b) => a.place - b.place);
  return `${title}: ${ranked.map(({ name, points }) => `${name} ${points}`).join(", ")} (Fox & Clover)`;
}

const WIDTH = 800;
const HEAD = 130;
const ROW = 90;
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
export async function sharePicture(title: string, lines: readonly ResultLine[]): Promise<void> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD + ROW * lines.length + 30;
  drawResult(canvas, title, lines);
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

function drawResult(canvas: HTMLCanvasElement, title: string, lines: readonly ResultLine[]): void {
  const context = canvas.getContext("2d");
  if (!context) {
    return;
  }
  context.fillStyle = "#faf4e8";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#2c241b";
  context.font = "800 46px system-ui, sans-serif";
  context.fillText(title, 40, 72);
  context.font = "400 24px system-ui, sans-serif";
  context.fillText("Fox & Clover", 40, 108);
  const highest = Math.max(1, ...lines.map(({ points }) => points));
  [...lines]
    .sort((a, b) => a.place - b.place)
    .forEach(({ name, points }, at) => {
      const y = HEAD + at * ROW;
      context.fillStyle = COLOURS[at % COLOURS.length] ?? "#d9622b";
      context.fillRect(40, y + 44, Math.max(6, ((WIDTH - 80) * Math.max(points, 0)) / highest), 22);
      context.fillStyle = "#2c241b";
      context.font = "650 30px system-ui, sans-serif";
      context.fillText(name, 40, y + 34, WIDTH - 220);
      context.textAlign = "right";
      context.fillText(String(points), WIDTH - 40, y + 34);
      context.textAlign = "left";
    });
}
