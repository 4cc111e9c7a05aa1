import { MARK_DIGITS } from "./draws";
import { loadRecord } from "./record";

const FORMAT = "foxclover witness 1";

/** Return the observations of this browser as a file for `foxclover verify --witness`. */
export function witnessFile(table: string): string {
  const { context, commitment, marks, requests, held, overtaken } = loadRecord(table);
  const seen = marks.length / MARK_DIGITS;
  const body = {
    format: FORMAT,
    context,
    commitment,
    marks: Array.from({ length: seen }, (_, at) =>
      marks.slice(at * MARK_DIGITS, (at + 1) * MARK_DIGITS),
    ),
    requests: requests.filter(({ draw }) => draw <= seen && !overtaken.includes(draw)),
    held: held.map((entry) => ({ ...entry, last: entry.last ?? seen })),
  };
  return `${JSON.stringify(body, null, 1)}\n`;
}
