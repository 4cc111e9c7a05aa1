import type { JSX } from "preact";
import { memory, remember } from "../memory";
import { translate } from "../translate";
import { Dialog } from "./dialog";
import { LanguageChoice, Switch, ThemeChoice } from "./settings";

const LONGEST_NAME = 24;

/** Name, language and appearance. */
export function PageSettings({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title={translate("page.settings")} onClose={onClose}>
      <div class="settings">
        <label class="field">
          <span>{translate("page.setup.name")}</span>
          <input
            type="text"
            maxLength={LONGEST_NAME}
            autocomplete="nickname"
            value={memory.get().name}
            onInput={(event) => remember({ name: event.currentTarget.value.trim() })}
          />
        </label>
        <LanguageChoice />
        <ThemeChoice />
        <Switch name="distinct" />
        <Switch name="instant" />
        <Switch name="sound" />
        <Switch name="motion" />
      </div>
    </Dialog>
  );
}
