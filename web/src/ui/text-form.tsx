import type { ComponentChildren, JSX } from "preact";

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
        {...(maxLength === undefined ? {} : { maxLength })}
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
