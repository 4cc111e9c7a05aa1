import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { memory, remember, type Theme } from "../memory";
import { useObservable } from "../observable";
import { isLanguage, LANGUAGES, loadLanguage, locale, translate } from "../translate";
import { Select } from "./forms";
import "../styles/switch.css";

export function LanguageChoice({
  onChange,
}: {
  onChange?: (language: string) => void;
}): JSX.Element {
  const { language } = useObservable(locale);
  const choose = (value: string): void => {
    if (isLanguage(value)) {
      remember({ language: value });
      void loadLanguage(value).then(() => onChange?.(value));
    }
  };
  return (
    <label class="choice">
      <Icon name="globe" /> <span>{translate("page.language")}</span>
      <Select value={language} options={Object.entries(LANGUAGES)} onChange={choose} />
    </label>
  );
}

/** A switch for a stored setting. */
export function Switch({
  name,
  label = translate(`page.switch.${name}`),
  onToggle,
}: {
  name: "distinct" | "instant" | "sound" | "motion" | "notify" | "odds" | "reactions";
  label?: string;
  onToggle?: (on: boolean) => Promise<boolean>;
}): JSX.Element {
  const on = useObservable(memory)[name];
  const save = (value: boolean): void => remember({ [name]: value });
  return (
    <Toggle
      label={label}
      on={on}
      onChange={(checked) => (onToggle ? void onToggle(checked).then(save) : save(checked))}
    />
  );
}

export function Toggle({
  label,
  on,
  onChange,
}: {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
}): JSX.Element {
  return (
    <label class="switch">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state by itself
        role="switch"
        checked={on}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
      />{" "}
      {label}
    </label>
  );
}

const THEMES: readonly Theme[] = ["auto", "light", "dark"];

export function ThemeChoice(): JSX.Element {
  const { theme } = useObservable(memory);
  return (
    <label class="choice">
      <Icon name={theme === "dark" ? "moon" : "sun"} /> <span>{translate("page.theme")}</span>
      <Select
        value={theme}
        options={THEMES.map((name) => [name, translate(`page.theme.${name}`)])}
        onChange={(value) => remember({ theme: THEMES.find((name) => name === value) ?? "auto" })}
      />
    </label>
  );
}
