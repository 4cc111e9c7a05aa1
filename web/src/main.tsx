import { render } from "preact";
import "./styles/base.css";
import "./styles/home.css";
import "./styles/notice-bar.css";
import { startBackend } from "#backend";
import { App } from "./app";
import "./feedback"; // it must not miss the first interaction, after which sounds are allowed
import { watchInput } from "./input";
import { followOtherTabs, memory } from "./memory";
import { loadLanguage, preferredLanguage } from "./translate";
import { keepFocus } from "./ui/focus";
import { watchInstallation } from "./ui/install-button";
import { registerServiceWorker } from "./ui/update-bar";

const language = memory.get().language ?? preferredLanguage(navigator.languages);
// Shown when no catalogue can be fetched.
const SERVER_SILENT: Record<typeof language, string> = {
  de: "Der Server antwortet nicht. Die Seite versucht es immer wieder.",
  en: "The server does not answer. The page keeps trying.",
  nl: "De server antwoordt niet. De pagina blijft het proberen.",
};
const RETRY_AFTER = 2000;
const FONT_DUE = 500; // ms; later fonts replace the system's when they arrive
const fontsLoaded = Promise.race([
  Promise.allSettled([400, 700].map((weight) => document.fonts.load(`${weight} 1em Nunito`))),
  new Promise((resolve) => setTimeout(resolve, FONT_DUE)),
]);
const root = document.getElementById("app");

// supported.js shows this message in browsers that are too old.
if (root && document.getElementById("too-old")?.hidden !== false) {
  watchInput();
  keepFocus();
  followOtherTabs();
  watchInstallation();
  startBackend();
  registerServiceWorker();
  root.replaceChildren(); // remove the messages of index.html
  start(root);
}

/** Draw the page as soon as the server answers. */
function start(container: HTMLElement): void {
  Promise.all([loadLanguage(language), fontsLoaded]).then(
    () => render(<App />, container),
    () => {
      render(
        <p class="notice unanswered" role="alert">
          Fox &amp; Clover: {SERVER_SILENT[language]}
        </p>,
        container,
      );
      setTimeout(start, RETRY_AFTER, container);
    },
  );
}
