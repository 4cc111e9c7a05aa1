/** Caches the files of the page, so that it starts without a network, and shows notifications. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/**
 * Written by the build: whether a server serves the page, and the hash of each file.
 * @type {{ served: boolean, files: Record<string, string> }}
 */
const FACTS = { served: false, files: {} };
const SCOPE = worker.registration.scope;
const CACHE = `foxclover ${SCOPE}`; // other pages of this host have their own cache
const PAGE = "index.html";
const VERSIONS = new URL("versions", SCOPE).href; // in the cache: the keys of two versions
/** Files whose names change with their content. */
const NAMED = /^(assets|engine)\//;
/** Parts that a page loads when they are needed, even after an update. */
const LAZY = /^assets\//;

/**
 * Return the cache key of a file: it changes with the content, so that versions do not mix.
 * @param {string} path
 */
const keyOf = (path) => new URL(`${path}?${FACTS.files[path]}`, SCOPE).href;

worker.addEventListener("install", (event) => event.waitUntil(cacheAll()));
worker.addEventListener("activate", (event) =>
  event.waitUntil(deleteOld().then(() => worker.clients.claim())),
);
worker.addEventListener("message", (event) => {
  if (event.data === "take over") {
    void worker.skipWaiting();
  }
});
worker.addEventListener("push", (event) => event.waitUntil(showNotice(event.data?.json())));
worker.addEventListener("notificationclick", (event) =>
  event.waitUntil(focusPage(event.notification)),
);

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || !address.href.startsWith(SCOPE)) {
    return;
  }
  const path = address.href.slice(SCOPE.length).replace(/[?#].*/, "");
  if (request.mode === "navigate") {
    if (FACTS.served) {
      event.respondWith(fetch(request).catch(() => fromCache(PAGE)));
    } else if (path === "" || path === PAGE) {
      event.respondWith(fromCache(PAGE));
    }
  } else if (path in FACTS.files && path !== PAGE) {
    event.respondWith(fromCache(path));
  } else if (LAZY.test(path)) {
    event.respondWith(fromOlderVersion(request));
  }
});

/**
 * Show that a table waits, unless the player looks at it; each table has one notification.
 * @param {{ table: string, title: string, body: string } | undefined} notice
 */
async function showNotice(notice) {
  if (!notice) {
    return;
  }
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isSeen = pages.some(
    (page) => page.visibilityState === "visible" && isTable(page.url, notice.table),
  );
  if (!isSeen) {
    await worker.registration.showNotification(notice.title, {
      body: notice.body,
      tag: `table-${notice.table}`,
      icon: new URL("icon-192.png", SCOPE).href,
      data: notice.table,
    });
  }
}

/**
 * Return whether an address shows a table.
 * @param {string} address
 * @param {string} table
 */
const isTable = (address, table) => address.split(/[?#]/)[0] === new URL(`t/${table}`, SCOPE).href;

/**
 * Show the table of a notification when it is clicked, or any page if it names none.
 * @param {Notification} notification
 */
async function focusPage(notification) {
  notification.close();
  const pages = await worker.clients.matchAll({ type: "window" });
  /** @type {string | null} */
  const table = notification.data;
  const page = table === null ? pages[0] : pages.find(({ url }) => isTable(url, table));
  if (page) {
    await page.focus();
  } else if (table !== null) {
    await worker.clients.openWindow(new URL(`t/${table}`, SCOPE));
  }
}

/** @param {string} path */
async function fromCache(path) {
  return (await caches.match(keyOf(path))) ?? fetch(new URL(path, SCOPE));
}

/**
 * Answer a page of the version before, which is still open.
 * @param {Request} request
 */
async function fromOlderVersion(request) {
  const found = await caches.match(request, { cacheName: CACHE, ignoreSearch: true });
  return found ?? fetch(request);
}

/** Cache all missing files; this version is not activated without them. */
async function cacheAll() {
  const cache = await caches.open(CACHE);
  for (const path of Object.keys(FACTS.files)) {
    const key = keyOf(path);
    if (!(await cache.match(key))) {
      const answer = await fetch(new URL(path, SCOPE), {
        cache: NAMED.test(path) ? "force-cache" : "no-cache",
      });
      if (!answer.ok) {
        throw new Error(`${path}: ${answer.status}`);
      }
      await cache.put(key, answer);
    }
  }
}

/** Delete the files of older versions, except the parts of the last one. */
async function deleteOld() {
  const cache = await caches.open(CACHE);
  const keys = Object.keys(FACTS.files).map(keyOf);
  /** @type {string[][]} */
  const versions = (await (await cache.match(VERSIONS))?.json()) ?? [];
  const last = versions.find((version) => version.join() !== keys.join()) ?? [];
  const lazy = last.filter((key) => LAZY.test(key.slice(SCOPE.length)));
  const wanted = new Set([...keys, ...lazy, VERSIONS]);
  for (const { url } of await cache.keys()) {
    if (!wanted.has(url)) {
      await cache.delete(url);
    }
  }
  await cache.put(VERSIONS, new Response(JSON.stringify([keys, last])));
}
