import type { JSX } from "preact";
import { Icon } from "../art/icons";
import { memory, remember, type Theme } from "../memory";
import { useObservable } from "../observable";
import { isLanguage, LANGUAGES, loadLanguage, locale, translate } from "../translate";
import { Select } from "./forms";

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
      <Icon name="globe" label={translate("page.language")} />
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
    <label class="switch">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its state by itself
        role="switch"
        checked={on}
        onChange={({ currentTarget: { checked } }) =>
          onToggle ? void onToggle(checked).then(save) : save(checked)
        }
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
      <Icon name={theme === "dark" ? "moon" : "sun"} label={translate("page.theme")} />
      <Select
        value={theme}
        options={THEMES.map((name) => [name, translate(`page.theme.${name}`)])}
        onChange={(value) => remember({ theme: THEMES.find((name) => name === value) ?? "auto" })}
      />
    </label>
  );
}
