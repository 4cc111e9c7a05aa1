/** Keeps the files of the page, so that it starts without a network. Whatever is not one of them, it does not touch. */
const FACTS = FACTS_OF_THE_PAGE;
const CACHE = `foxclover ${registration.scope}`; // another folder of this host keeps its own
const PAGE = "index.html";

/** A file is kept under a name that changes with its content, so that a new version leaves the old one alone until it takes over. */
const keyOf = (path) => new URL(`${path}?${FACTS.files[path]}`, registration.scope).href;

addEventListener("install", (event) => event.waitUntil(keepAll()));
addEventListener("activate", (event) => event.waitUntil(forgetOld().then(() => clients.claim())));
addEventListener("message", (event) => event.data === "take over" && skipWaiting());
addEventListener("notificationclick", (event) => event.waitUntil(comeBack(event.notification)));

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || !address.href.startsWith(registration.scope)) {
    return;
  }
  const path = address.href.slice(registration.scope.length).replace(/[?#].*/, "");
  if (request.mode === "navigate") {
    if (FACTS.served) {
      event.respondWith(fetch(request).catch(() => kept(PAGE)));
    } else if (path === "" || path === PAGE) {
      event.respondWith(kept(PAGE));
    }
  } else if (path in FACTS.files && path !== PAGE) {
    event.respondWith(kept(path));
  }
});

/** Who was told that it is his turn, and touches that, wants to see the table. */
async function comeBack(notification) {
  notification.close();
  const [page] = await clients.matchAll({ type: "window" });
  await page?.focus();
}

async function kept(path) {
  return (await caches.match(keyOf(path))) ?? fetch(new URL(path, registration.scope));
}

/** Gets what is not there yet: all of it, or this version never takes over. */
async function keepAll() {
  const cache = await caches.open(CACHE);
  for (const path of Object.keys(FACTS.files)) {
    const key = keyOf(path);
    if (!(await cache.match(key))) {
      const named = /^(assets|engine)\//.test(path); // its name changes with its content: an older answer is as good
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

async function forgetOld() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(Object.keys(FACTS.files).map(keyOf));
  for (const request of await cache.keys()) {
    if (!wanted.has(request.url)) {
      await cache.delete(request);
    }
  }
}
