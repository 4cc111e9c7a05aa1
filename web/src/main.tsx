import { render } from "preact";
import "./styles/base.css";
import "./styles/home.css";
import "./styles/table.css";
import "./styles/frame.css";
import "./styles/dice.css";
import "./styles/clever.css";
import "./styles/climb.css";
import "./styles/seal.css";
import "./styles/companion.css";
import "./styles/standing.css";
import { begin } from "#authority";
import { App } from "./app";
import { explainOnHold } from "./hold";
import { memory } from "./memory";
import { keepForOffline } from "./update";
import { preferredLanguage, speak } from "./words";

const wished = memory.get().language ?? preferredLanguage(navigator.languages);
const root = document.getElementById("app");

explainOnHold();
begin();
keepForOffline();

if (root) {
  speak(wished).then(
    () => render(<App />, root),
    () => {
      // Without a catalogue there are no translated words to say it with.
      root.textContent = "Fox & Clover: the server does not answer. Please reload.";
    },
  );
}
