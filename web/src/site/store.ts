/**
 * Tables in this browser: each has a record with a version, and events. All of them are texts. When
 * a promise resolves, the data is on disk. Several tabs can use the store: no tab overwrites the
 * data of another one.
 */

const NAME = "foxclover";
const VERSION = 2;
const TABLES = "tables";
const EVENTS = "events";
const REVIEWS = "reviews"; // since version 2
const ALL = [TABLES, EVENTS, REVIEWS] as const;

interface Row {
  record: string;
  version: number;
  length: number;
}

export interface Loaded {
  record: string;
  version: number;
  events: string[];
}

export interface Store {
  /** Whether tables survive closing the page. */
  readonly lasting: boolean;
  load(code: string, from: number): Promise<Loaded | null>;
  /**
   * Write a record, new (version 0) or over a known version; false if another version is stored.
   */
  put(code: string, version: number, record: string, events: string[]): Promise<boolean>;
  /** Append events after the first `length`; false if there are more. */
  append(code: string, length: number, events: string[]): Promise<boolean>;
  /** Return the stored review of a table. */
  review(code: string): Promise<string | null>;
  keepReview(code: string, text: string): Promise<void>;
  /** Delete a table with its events and review. */
  remove(code: string): Promise<void>;
  /** Return the number of events of each table. */
  lengths(): Promise<[string, number][]>;
}

/** Open IndexedDB, or a store in memory where the browser forbids it. */
export async function openStore(): Promise<Store> {
  try {
    return new IndexedDbStore(await open());
  } catch (error) {
    if (error instanceof DOMException && error.name === "VersionError") {
      throw error; // a newer version has changed the database
    }
    return new MemoryStore();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const existing = request.result.objectStoreNames;
      ALL.filter((name) => !existing.contains(name)).forEach((name) =>
        request.result.createObjectStore(name),
      );
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close(); // let a newer version upgrade
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const eventRange = (code: string, from = 0): IDBKeyRange =>
  IDBKeyRange.bound([code, from], [code, Infinity]);

class IndexedDbStore implements Store {
  readonly lasting = true;

  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
  }

  load(code: string, from: number): Promise<Loaded | null> {
    return this.#inTransaction("readonly", async (tables, events) => {
      const row = await resultOf<Row | undefined>(tables.get(code));
      return row
        ? {
            record: row.record,
            version: row.version,
            events: await resultOf<string[]>(events.getAll(eventRange(code, from))),
          }
        : null;
    });
  }

  put(code: string, version: number, record: string, added: string[]): Promise<boolean> {
    return this.#inTransaction("readwrite", async (tables, events) => {
      const row = await resultOf<Row | undefined>(tables.get(code));
      if ((row?.version ?? 0) !== version) {
        return false;
      }
      added.forEach((event, at) => events.put(event, [code, at]));
      tables.put(
        { record, version: version + 1, length: row?.length ?? added.length } satisfies Row,
        code,
      );
      return true;
    });
  }

  append(code: string, length: number, added: string[]): Promise<boolean> {
    return this.#inTransaction("readwrite", async (tables, events) => {
      const row = await resultOf<Row | undefined>(tables.get(code));
      if (row?.length !== length) {
        return false;
      }
      added.forEach((event, at) => events.add(event, [code, length + at]));
      tables.put({ ...row, length: length + added.length } satisfies Row, code);
      return true;
    });
  }

  review(code: string): Promise<string | null> {
    return this.#inTransaction(
      "readonly",
      async (_tables, _events, reviews) =>
        (await resultOf<string | undefined>(reviews.get(code))) ?? null,
    );
  }

  keepReview(code: string, text: string): Promise<void> {
    return this.#inTransaction(
      "readwrite",
      async (_tables, _events, reviews) => void reviews.put(text, code),
    );
  }

  remove(code: string): Promise<void> {
    return this.#inTransaction("readwrite", async (tables, events, reviews) => {
      tables.delete(code);
      events.delete(eventRange(code));
      reviews.delete(code);
    });
  }

  lengths(): Promise<[string, number][]> {
    return this.#inTransaction("readonly", async (tables) => {
      const [codes, rows] = await Promise.all([
        resultOf(tables.getAllKeys()),
        resultOf<Row[]>(tables.getAll()),
      ]);
      return codes.map((code, at) => [String(code), rows[at]?.length ?? 0]);
    });
  }

  /** Run a transaction; resolve when it is on disk. */
  #inTransaction<T>(
    mode: IDBTransactionMode,
    work: (tables: IDBObjectStore, events: IDBObjectStore, reviews: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(ALL, mode, { durability: "strict" });
      const result = work(
        transaction.objectStore(TABLES),
        transaction.objectStore(EVENTS),
        transaction.objectStore(REVIEWS),
      );
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
      result.catch((error: unknown) => {
        reject(error);
        transaction.abort(); // write all or nothing
      });
    });
  }
}

class MemoryStore implements Store {
  readonly lasting = false;
  readonly #tables = new Map<string, Row>();
  readonly #events = new Map<string, string[]>();
  readonly #reviews = new Map<string, string>();

  async load(code: string, from: number): Promise<Loaded | null> {
    const row = this.#tables.get(code);
    return row
      ? {
          record: row.record,
          version: row.version,
          events: this.#events.get(code)?.slice(from) ?? [],
        }
      : null;
  }

  async put(code: string, version: number, record: string, added: string[]): Promise<boolean> {
    const row = this.#tables.get(code);
    if ((row?.version ?? 0) !== version) {
      return false;
    }
    if (!row) {
      this.#events.set(code, [...added]);
    }
    this.#tables.set(code, {
      record,
      version: version + 1,
      length: this.#events.get(code)?.length ?? 0,
    });
    return true;
  }

  async append(code: string, length: number, added: string[]): Promise<boolean> {
    const row = this.#tables.get(code);
    const events = this.#events.get(code);
    if (!row || events?.length !== length) {
      return false;
    }
    events.push(...added);
    row.length = events.length;
    return true;
  }

  async review(code: string): Promise<string | null> {
    return this.#reviews.get(code) ?? null;
  }

  async keepReview(code: string, text: string): Promise<void> {
    this.#reviews.set(code, text);
  }

  async remove(code: string): Promise<void> {
    this.#tables.delete(code);
    this.#events.delete(code);
    this.#reviews.delete(code);
  }

  async lengths(): Promise<[string, number][]> {
    return [...this.#tables].map(([code, row]) => [code, row.length]);
  }
}
