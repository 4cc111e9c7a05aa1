import { MARK_DIGITS } from "./draws";
import { keptOf } from "./record";

const FORMAT = "foxclover witness 1";

/** What this browser can testify to, as a file for `foxclover verify --witness`. */
export function witnessFile(table: string): string {
  const { context, commitment, marks, requests, held, overtaken } = keptOf(table);
  const seen = marks.length / MARK_DIGITS;
  const body = {
    format: FORMAT,
    context,
    commitment,
    marks: Array.from({ length: seen }, (_, at) =>
      marks.slice(at * MARK_DIGITS, (at + 1) * MARK_DIGITS),
    ),
    requests: requests.filter(({ draw }) => draw <= seen && !overtaken.includes(draw)),
    held: held.map((one) => ({ ...one, last: one.last ?? seen })),
  };
  return `${JSON.stringify(body, null, 1)}\n`;
}
