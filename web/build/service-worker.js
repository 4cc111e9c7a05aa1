/** Caches the files of the page, so that it starts without a network. Ignores other requests. */
const FACTS = FACTS_OF_THE_PAGE;
const CACHE = `foxclover ${registration.scope}`; // other pages of this host have their own cache
const PAGE = "index.html";

/** Return the cache key of a file: it changes with the content, so that versions do not mix. */
const keyOf = (path) => new URL(`${path}?${FACTS.files[path]}`, registration.scope).href;

addEventListener("install", (event) => event.waitUntil(cacheAll()));
addEventListener("activate", (event) => event.waitUntil(deleteOld().then(() => clients.claim())));
addEventListener("message", (event) => event.data === "take over" && skipWaiting());
addEventListener("notificationclick", (event) => event.waitUntil(focusPage(event.notification)));

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || !address.href.startsWith(registration.scope)) {
    return;
  }
  const path = address.href.slice(registration.scope.length).replace(/[?#].*/, "");
  if (request.mode === "navigate") {
    if (FACTS.served) {
      event.respondWith(fetch(request).catch(() => fromCache(PAGE)));
    } else if (path === "" || path === PAGE) {
      event.respondWith(fromCache(PAGE));
    }
  } else if (path in FACTS.files && path !== PAGE) {
    event.respondWith(fromCache(path));
  }
});

/** Show the page when its notification is clicked. */
async function focusPage(notification) {
  notification.close();
  const [page] = await clients.matchAll({ type: "window" });
  await page?.focus();
}

async function fromCache(path) {
  return (await caches.match(keyOf(path))) ?? fetch(new URL(path, registration.scope));
}

/** Cache all missing files; this version is not activated without them. */
async function cacheAll() {
  const cache = await caches.open(CACHE);
  for (const path of Object.keys(FACTS.files)) {
    const key = keyOf(path);
    if (!(await cache.match(key))) {
      // These names change with the content, so that a cached response is valid.
      const named = /^(assets|engine)\//.test(path);
      const answer = await fetch(new URL(path, registration.scope), {
        cache: named ? "force-cache" : "no-cache",
      });
      if (!answer.ok) {
        throw new Error(`${path}: ${answer.status}`);
      }
      await cache.put(key, answer);
    }
  }
}

async function deleteOld() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys(FACTS.files).map(keyOf));
  for (const request of await cache.keys()) {
    if (!wanted.has(request.url)) {
      await cache.delete(request);
    }
  }
}
