import { render } from "preact";
import "./styles/base.css";
import "./styles/home.css";
import "./styles/table.css";
import "./styles/layout.css";
import "./styles/dice.css";
import "./styles/clever.css";
import "./styles/climb.css";
import "./styles/seal.css";
import "./styles/companion.css";
import "./styles/notice-bar.css";
import { begin } from "#backend";
import { App } from "./app";
import { explainOnHold } from "./input";
import { followOtherTabs, memory } from "./memory";
import { preferredLanguage, speak } from "./translate";
import { keepForOffline } from "./ui/update-bar";

const wished = memory.get().language ?? preferredLanguage(navigator.languages);
// The only words of the page, save those of index.html, that no catalogue brings: that it could not be had.
const UNANSWERED: Record<typeof wished, string> = {
  de: "Der Server antwortet nicht. Die Seite versucht es immer wieder.",
  en: "The server does not answer. The page keeps trying.",
  nl: "De server antwoordt niet. De pagina blijft het proberen.",
};
const TRY_AGAIN = 2000;
const root = document.getElementById("app");

explainOnHold();
followOtherTabs();
begin();
keepForOffline();

if (root) {
  root.replaceChildren(); // what stands there for those who get no further
  start(root);
}

/** Draw the page as soon as the server answers. */
function start(place: HTMLElement): void {
  speak(wished).then(
    () => render(<App />, place),
    () => {
      render(
        <p class="notice unanswered" role="alert">
          Fox &amp; Clover: {UNANSWERED[wished]}
        </p>,
        place,
      );
      setTimeout(start, TRY_AGAIN, place);
    },
  );
}
