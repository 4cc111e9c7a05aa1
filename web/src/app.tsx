import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { pages } from "#backend";
import { Home } from "./home/home";
import { memory } from "./memory";
import { useObservable, useSelected } from "./observable";
import type { Route } from "./paths";
import { route } from "./route";
import { loadTablePage } from "./table/lazy";
import { locale, translate, withMoreTexts } from "./translate";
import { BackendBar } from "./ui/backend-bar";
import { ErrorBoundary } from "./ui/error-boundary";
import { ErrorPage } from "./ui/error-page";
import { useArrival } from "./ui/focus";
import { Lazy, LazyPage } from "./ui/lazy";
import { UpdateBar } from "./ui/update-bar";

const loadTour = withMoreTexts(async () => (await import("./tour/page")).TourPage);

export function App(): JSX.Element {
  const currentRoute = useObservable(route);
  const { language } = useObservable(locale);
  const theme = useSelected(memory, (stored) => stored.theme);
  const motion = useSelected(memory, (stored) => stored.motion);
  useEffect(() => {
    document.documentElement.dataset["motion"] = motion ? "on" : "off";
  }, [motion]);
  useEffect(() => {
    if (theme === "auto") {
      delete document.documentElement.dataset["theme"];
    } else {
      document.documentElement.dataset["theme"] = theme;
    }
  }, [theme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a listed value changes
  useEffect(() => {
    if (currentRoute.page === "home") {
      document.title = "Fox & Clover";
    }
  }, [currentRoute, language]);
  useArrival(pageKey(currentRoute));
  return (
    <>
      <ErrorBoundary
        key={currentRoute.page === "table" ? currentRoute.code : currentRoute.page}
        table={currentRoute.page === "table" ? currentRoute.code : null}
      >
        {pageOf(currentRoute)}
      </ErrorBoundary>
      <div class="notice-bars">
        <BackendBar />
        <UpdateBar />
      </div>
    </>
  );
}

const loadPuzzlesPage = async (): Promise<typeof import("./puzzles/page").PuzzlesPage> =>
  (await import("./puzzles/page")).PuzzlesPage;

/** Return what identifies a page; the moments of a replay are one page. */
function pageKey(shown: Route): string {
  if (shown.page !== "table") {
    return shown.page === "tour" ? `tour ${shown.game}` : shown.page;
  }
  const part = typeof shown.moment === "number" ? "replay" : (shown.moment ?? "");
  return `table ${shown.code} ${part}`;
}

function pageOf(currentRoute: Route): JSX.Element {
  if (
    currentRoute.page === "unknown" ||
    currentRoute.page === "me" ||
    currentRoute.page === "daily"
  ) {
    const load = currentRoute.page === "unknown" ? undefined : pages[currentRoute.page];
    return load ? (
      <LazyPage key={currentRoute.page} load={withMoreTexts(load)} />
    ) : (
      <ErrorPage text={translate("page.nowhere")} />
    );
  }
  if (currentRoute.page === "puzzles") {
    return (
      <Lazy
        key="puzzles"
        kind="page"
        load={withMoreTexts(loadPuzzlesPage)}
        props={{ game: currentRoute.game, id: currentRoute.id }}
      />
    );
  }
  if (currentRoute.page === "transcript") {
    return (
      <Lazy
        load={withMoreTexts(async () => (await import("./review/open-transcript")).OpenTranscript)}
        props={{}}
      />
    );
  }
  if (currentRoute.page === "tour") {
    return (
      <Lazy
        key={currentRoute.game}
        kind="page"
        load={loadTour}
        props={{ gameKey: currentRoute.game }}
      />
    );
  }
  return currentRoute.page === "home" ? (
    <Home />
  ) : (
    <Lazy
      key={currentRoute.code}
      kind="page"
      load={loadTablePage}
      props={{ code: currentRoute.code, moment: currentRoute.moment }}
    />
  );
}
