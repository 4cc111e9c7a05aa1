import type { JSX } from "preact";
import { translate } from "../translate";

/** Values and texts. */
type Options = readonly (readonly [string, string])[];

/** A select; without a `label` it is inside a label element. */
export function Select({
  label,
  value,
  options,
  onChange,
}: {
  label?: string;
  value: string;
  options: Options;
  onChange: (value: string) => void;
}): JSX.Element {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Return the options for the strength of a computer player. */
export const strengthOptions = (strengths: readonly string[]): Options =>
  strengths.map((strength) => [
    strength,
    translate("page.setup.computer", { level: translate(`server.level.${strength}`) }),
  ]);
