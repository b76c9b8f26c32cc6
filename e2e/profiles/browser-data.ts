/** Everything that one origin stores in a browser, as plain JSON: its databases and its `localStorage`. */
export interface BrowserData {
  databases: StoredDatabase[];
  localStorage: [key: string, value: string][];
}

interface StoredDatabase {
  name: string;
  version: number;
  stores: {
    name: string;
    keyPath: string | string[] | null;
    autoIncrement: boolean;
    indexes: { name: string; keyPath: string | string[]; unique: boolean; multiEntry: boolean }[];
    /** Keys and values, encoded by `encode`. */
    records: [key: unknown, value: unknown][];
  }[];
}

/** Reads the page origin's databases, or only the named ones. Self-contained, because it runs in the page. */
export async function readBrowserData(names?: readonly string[]): Promise<BrowserData> {
  const settle = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const base64 = (bytes: Uint8Array) => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x2000) text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
    return btoa(text);
  };
  // Values that JSON does not support become an object whose `$` names the type. No record has such a property itself.
  const encode = async (value: unknown): Promise<unknown> => {
    if (value === undefined) return { $: 'undefined' };
    if (value instanceof Blob) return { $: 'Blob', bytes: base64(new Uint8Array(await value.arrayBuffer())) };
    if (ArrayBuffer.isView(value))
      return {
        $: value.constructor.name,
        bytes: base64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
      };
    if (value instanceof Map) return { $: 'Map', entries: await encode([...value]) };
    if (Array.isArray(value)) return Promise.all(value.map(encode));
    if (typeof value !== 'object' || value === null) return value;
    if (Object.getPrototypeOf(value) !== Object.prototype || '$' in value)
      throw new Error(`cannot write down ${Object.prototype.toString.call(value)}`);
    const entries = Object.entries(value).map(async ([name, field]) => [name, await encode(field)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  const databases: StoredDatabase[] = [];
  for (const { name = '', version = 1 } of await indexedDB.databases()) {
    if (names !== undefined && !names.includes(name)) continue;
    const db = await settle(indexedDB.open(name));
    const stores: StoredDatabase['stores'] = [];
    for (const storeName of db.objectStoreNames) {
      const store = db.transaction(storeName).objectStore(storeName);
      const { keyPath, autoIncrement } = store;
      const indexes = Array.from(store.indexNames, (index) => {
        const { keyPath: path, unique, multiEntry } = store.index(index);
        return { name: index, keyPath: path, unique, multiEntry };
      });
      const [keys, values] = await Promise.all([settle(store.getAllKeys()), settle(store.getAll())]);
      const records: [unknown, unknown][] = [];
      for (const [at, key] of keys.entries()) records.push([await encode(key), await encode(values[at])]);
      stores.push({ name: storeName, keyPath, autoIncrement, indexes, records });
    }
    databases.push({ name, version, stores });
    db.close();
  }
  // Outside a browser there is none.
  const { localStorage: settings } = globalThis as { localStorage?: Storage };
  return { databases, localStorage: Object.entries(settings ?? {}) };
}

/** Recreates everything where nothing exists yet. Self-contained, because it also runs in a page. */
export async function writeBrowserData({ databases, localStorage: settings }: BrowserData): Promise<void> {
  const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const arrays = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
  const decode = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(decode);
    if (typeof value !== 'object' || value === null) return value;
    const { $: type, bytes, entries } = value as { $?: string; bytes?: string; entries?: unknown };
    if (type === undefined)
      return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, decode(field)]));
    if (type === 'undefined') return undefined;
    if (type === 'Map') return new Map(decode(entries) as [unknown, unknown][]);
    if (type === 'Blob') return new Blob([bytesOf(bytes ?? '')]);
    const View = arrays[type as keyof typeof arrays];
    if (View === undefined) throw new Error(`cannot read ${type}`);
    return new View(bytesOf(bytes ?? '').buffer);
  };
  for (const { name, version, stores } of databases) {
    const request = indexedDB.open(name, version);
    await new Promise<void>((resolve, reject) => {
      request.onupgradeneeded = () => {
        for (const { name: storeName, keyPath, autoIncrement, indexes, records } of stores) {
          const store = request.result.createObjectStore(storeName, { keyPath, autoIncrement });
          for (const { name: index, keyPath: path, unique, multiEntry } of indexes)
            store.createIndex(index, path, { unique, multiEntry });
          for (const [key, value] of records)
            if (keyPath === null) store.put(decode(value), decode(key) as IDBValidKey);
            else store.put(decode(value));
        }
      };
      request.onsuccess = () => resolve();
      request.onerror = () => reject(request.error);
    });
    request.result.close();
  }
  for (const [key, value] of settings) localStorage.setItem(key, value);
}
