import type { Area, Given } from './given.ts';

/** The interval between two reports to the studio about changes to a page's storage, in milliseconds. */
const STORE_EVERY_MS = 200;

/**
 * Defines substitutes in memory for `localStorage`, `sessionStorage` and cookies. Changes of the first two are reported to the
 * studio, which gives the page their content again when it is rebuilt.
 */
export function defineStorages(given: Given): void {
  defineStorage('localStorage', 'local', given);
  defineStorage('sessionStorage', 'session', given);
  defineCookies();
}

function defineStorage(name: 'localStorage' | 'sessionStorage', area: Area, given: Given): void {
  const entries = new Map(Object.entries(given.stored[area]));
  let isResting = false;
  let isTold = true;
  const tell = () => {
    if (!isTold) given.store(area, Object.fromEntries(entries));
    isTold = true;
  };
  // The first change is reported immediately; continuous changes are reported periodically.
  const changed = () => {
    isTold = false;
    if (isResting) return;
    isResting = true;
    queueMicrotask(tell);
    setTimeout(() => {
      isResting = false;
      if (!isTold) changed();
    }, STORE_EVERY_MS);
  };
  addEventListener('pagehide', tell);
  const methods = {
    getItem: (key: unknown) => entries.get(String(key)) ?? null,
    setItem(key: unknown, value: unknown) {
      const others = [...entries].filter(([other]) => other !== String(key));
      const size = others.reduce((sum, [other, text]) => sum + other.length + text.length, 0);
      if (size + String(key).length + String(value).length > given.storedMaxChars)
        throw new DOMException(`A preview can store at most ${given.storedMaxChars} characters.`, 'QuotaExceededError');
      entries.set(String(key), String(value));
      changed();
    },
    removeItem(key: unknown) {
      if (entries.delete(String(key))) changed();
    },
    clear() {
      entries.clear();
      changed();
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
  };
  const isOwn = (key: string | symbol): key is keyof typeof methods => Object.hasOwn(methods, key);
  const storage = new Proxy(Object.create(Storage.prototype) as Record<string, string>, {
    get(_target, key) {
      if (key === 'length') return entries.size;
      if (isOwn(key)) return methods[key];
      if (typeof key === 'string' && entries.has(key)) return entries.get(key);
      // Inherited properties, such as hasOwnProperty.
      return Reflect.get(Object.prototype, key);
    },
    set(_target, key, value) {
      methods.setItem(String(key), value);
      return true;
    },
    deleteProperty(_target, key) {
      methods.removeItem(String(key));
      return true;
    },
    has: (_target, key) => key === 'length' || isOwn(key) || (typeof key === 'string' && entries.has(key)),
    ownKeys: () => [...entries.keys()],
    getOwnPropertyDescriptor(_target, key) {
      const value = typeof key === 'string' ? entries.get(key) : undefined;
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
  });
  Object.defineProperty(window, name, { value: storage, configurable: true });
}

function defineCookies(): void {
  const cookies = new Map<string, string>();
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    set(text: unknown) {
      const [, name = '', value = '', rest = ''] = /^\s*([^=;]*)=?([^;]*)(.*)$/.exec(String(text)) ?? [];
      if (/max-age=(0|-)|expires=\w+,? 0?1[- ]jan[- ]1970/i.test(rest)) cookies.delete(name.trim());
      else cookies.set(name.trim(), value.trim());
    },
  });
}
