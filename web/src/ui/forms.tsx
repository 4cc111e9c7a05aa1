/** Form elements and their hooks. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "../art/icons";
import { translate } from "../translate";

interface TextFormProps {
  value: string;
  label: string;
  /** A code is not a word: no suggestions, capitals or spelling. */
  code?: boolean;
  maxLength?: number;
  disabled?: boolean;
  onInput: (value: string) => void;
  onSubmit: () => void;
  /** The content of the button. */
  children: ComponentChildren;
  /** Shown between field and button. */
  note?: ComponentChildren;
}

const CODE = { autocomplete: "off", autocapitalize: "off", spellcheck: false } as const;

/** One text field and its button. */
export function TextForm({
  value,
  label,
  code = false,
  maxLength,
  disabled = value.trim() === "",
  onInput,
  onSubmit,
  children,
  note,
}: TextFormProps): JSX.Element {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <input
        type="text"
        value={value}
        aria-label={label}
        placeholder={label}
        maxLength={maxLength}
        {...(code ? CODE : {})}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {note}
      <button type="submit" class="button" disabled={disabled}>
        {children}
      </button>
    </form>
  );
}

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

/** Require a second click: return whether the first was made, and the handlers of the button. */
export function useConfirmation(
  action: () => void,
  isNeeded = true,
): { confirming: boolean; handlers: { onClick: () => void; onBlur: () => void } } {
  const [confirming, setConfirming] = useState(false);
  return {
    confirming,
    handlers: {
      onClick: () => (isNeeded && !confirming ? setConfirming(true) : action()),
      onBlur: () => setConfirming(false),
    },
  };
}

/** A round button that shows only an icon. */
export function IconButton({
  icon,
  label,
  tooltip = false,
  onClick,
}: {
  icon: IconName;
  label: string;
  tooltip?: boolean;
  onClick: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="round-button"
      title={tooltip ? label : undefined}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
