/** What a page's window is given before anything of the page runs. */
interface Given {
  /** Where the page is in the workspace; its addresses count from there. */
  path: string;
  /** The query and the fragment with which a link has led to it; mostly empty. */
  suffix: string;
  stored: Record<Area, Record<string, string>>;
  storedMaxChars: number;
  /** A file of the workspace, as a data URL. */
  readFile(path: string): Promise<string>;
  store(area: Area, entries: Record<string, string>): void;
  /** Tells that a link leads to another page. */
  leave(address: string): void;
}

type Area = 'local' | 'session';

/** How often a page's storage is told to the studio, in milliseconds. */
const STORE_EVERY_MS = 200;

/** Gives the window of a page what one without an origin lacks. */
export function prepare(given: Given): void {
  takeAddress(given);
  defineStorage('localStorage', 'local', given);
  defineStorage('sessionStorage', 'session', given);
  defineCookies();
  defineDialogs();
  // There is none for a page without an origin; asking for it would throw.
  delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  defineFiles(given);
  followLinks(given);
}

/** The page's address is the one that it would have on a server of its own: what counts from there comes out right. */
function takeAddress({ path, suffix }: Given): void {
  const address = path
    .replace(/\/index\.html?$/i, '/')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  history.replaceState(null, '', address + suffix);
  const id = decodeURIComponent(/#(.+)$/.exec(suffix)?.[1] ?? '');
  // Nothing is gone to, so the browser does not look for it.
  if (id !== '') addEventListener('load', () => document.getElementById(id)?.scrollIntoView());
}

// ---- Storage, in memory; the studio keeps it while the page is built anew

function defineStorage(name: 'localStorage' | 'sessionStorage', area: Area, given: Given): void {
  const entries = new Map(Object.entries(given.stored[area]));
  let isResting = false;
  let isTold = true;
  const tell = () => {
    if (!isTold) given.store(area, Object.fromEntries(entries));
    isTold = true;
  };
  // The first change is told at once; a page that stores without end tells of it now and then.
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
        throw new DOMException(`A preview keeps at most ${given.storedMaxChars} characters.`, 'QuotaExceededError');
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
      // What every object has, such as hasOwnProperty.
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

/** A frame without dialogs would ignore them silently. */
function defineDialogs(): void {
  const { info } = console;
  window.alert = (message?: unknown) => info(`alert: ${String(message)}`);
  window.confirm = (message?: string) => {
    info(`confirm: ${message} (a preview has no dialogs; the answer is "Cancel")`);
    return false;
  };
  window.prompt = (message?: string) => {
    info(`prompt: ${message} (a preview has no dialogs; there is no answer)`);
    return null;
  };
}

// ---- Files of the workspace that code asks for by address

function defineFiles({ path, readFile }: Given): void {
  const original = window.fetch.bind(window);
  /** The path in the workspace that an address means; undefined for any other. */
  const pathOf = (address: string): string | undefined => {
    if (/^(#|[a-z][a-z\d+.-]*:|\/\/)/i.test(address) || address === '') {
      const { origin } = new URL(location.href);
      return address.startsWith(`${origin}/`) ? new URL(address).pathname : undefined;
    }
    return new URL(address, `file://${path.split('/').map(encodeURIComponent).join('/')}`).pathname;
  };
  window.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
    const wanted = pathOf(address);
    if (wanted === undefined) return original(input, init);
    if (method !== 'GET' && method !== 'HEAD')
      return new Response('A preview has no server.', { status: 405, statusText: 'Method Not Allowed' });
    try {
      const { body, headers } = await original(await readFile(wanted));
      return new Response(method === 'HEAD' ? null : body, { headers });
    } catch (error) {
      return new Response(error instanceof Error ? error.message : '', { status: 404, statusText: 'Not Found' });
    }
  };

  /** Sets an address once its file is there; nothing is tried in between, so that nothing fails. */
  const adopt = (element: Element, address: string, set: (url: string) => void): boolean => {
    const wanted = pathOf(address);
    if (wanted === undefined) return false;
    readFile(wanted).then(set, () => element.dispatchEvent(new Event('error')));
    return true;
  };
  const properties: [{ prototype: Element }, 'src' | 'poster'][] = [
    [HTMLImageElement, 'src'],
    [HTMLMediaElement, 'src'],
    [HTMLSourceElement, 'src'],
    [HTMLVideoElement, 'poster'],
  ];
  for (const [{ prototype }, name] of properties) {
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (set === undefined) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: true,
      get,
      set(this: Element, address: unknown) {
        if (!adopt(this, String(address), (url) => set.call(this, url))) set.call(this, address);
      },
    });
  }
  const setAttribute = Element.prototype.setAttribute;
  const takes = (element: Element, name: string): boolean =>
    properties.some(
      ([type, property]) => property === name && Object.prototype.isPrototypeOf.call(type.prototype, element),
    );
  Element.prototype.setAttribute = function (name, value) {
    const isTaken =
      takes(this, name.toLowerCase()) && adopt(this, String(value), (url) => setAttribute.call(this, name, url));
    if (!isTaken) setAttribute.call(this, name, value);
  };
  // What comes as markup has its addresses before anything can be asked: it is told again.
  const attribute = (element: Element, name: 'src' | 'poster') => {
    const address = element.getAttribute(name);
    if (address !== null && takes(element, name))
      adopt(element, address, (url) => setAttribute.call(element, name, url));
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const element of [node, ...node.querySelectorAll('[src], [poster]')]) {
          attribute(element, 'src');
          attribute(element, 'poster');
        }
      }
  });
  observer.observe(document, { childList: true, subtree: true });
  const OriginalAudio = window.Audio;
  window.Audio = new Proxy(OriginalAudio, {
    construct(target, [address]) {
      const audio = new target();
      if (address !== undefined) audio.src = String(address);
      return audio;
    },
  });
}

// ---- Links

function followLinks({ leave }: Given): void {
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
    const address = link?.getAttribute('href') ?? '#';
    if (link === undefined || address.startsWith('#') || /^javascript:/i.test(address)) return;
    event.preventDefault();
    leave(address);
  });
}
