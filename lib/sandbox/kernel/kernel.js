// @ts-check
// Runs inside the opaque frame, in its window or, where that shares the page's thread, in a worker. Everything here is
// within reach of the code it evaluates: the page takes each message as forged. What it says is JSON, and bounded.

(() => {
  /** Bounds of what is sent; the page has its own. */
  const MAX_TEXT_CHARACTERS = 20_000;
  const MAX_NODES = 2_000;
  const MAX_DEPTH = 5;
  const MAX_ITEMS = 100;
  const MAX_KEY_CHARACTERS = 200;
  const MAX_IMAGE_CHARACTERS = 700_000;
  const MAX_DRAWING_CHARACTERS = 200_000;
  const MAX_CONSOLE_LINES = 1_000;
  const MAX_CONSOLE_CHARACTERS = 200_000;
  const MAX_REFUSALS = 200;
  /** No more than the machine has threads for: they go on when the evaluation that made them has ended. */
  const MAX_WORKERS = Math.min(4, navigator.hardwareConcurrency || 2);
  const MAX_HISTORY_CHANGES = 1_000;
  const MAX_PLACES = 10;
  /** A page's console has its room anew after so many milliseconds; an evaluation has it once. */
  const PAGE_CONSOLE_MS = 5_000;
  /** Of a file that is written; with everything escaped it still fits into a message. */
  const MAX_FILE_CHARACTERS = 1_000_000;

  // Kept before any evaluated code can replace them.
  const global = globalThis;
  const isWindow = typeof document !== 'undefined';
  const script = isWindow ? document.currentScript : null;
  /** Of this file, for a worker. */
  const source = script?.textContent ?? '';
  script?.remove();
  const evaluate = global.eval;
  const { apply, ownKeys } = Reflect;
  const { getOwnPropertyDescriptor, getPrototypeOf, is } = Object;
  const { isArray } = Array;
  const { ceil } = Math;
  const { isView } = ArrayBuffer;
  const { stringify, parse } = JSON;
  const toText = String;
  const { now } = performance;
  const clock = performance;
  /** @type {(method: Function) => (self: unknown, ...rest: unknown[]) => any} */
  const uncurried =
    (method) =>
    (self, ...rest) =>
      apply(method, self, rest);
  const ignore = () => undefined;
  const slice = uncurried(String.prototype.slice);
  const startsWith = uncurried(String.prototype.startsWith);
  const frameOrigin = new URL(location.href).origin;
  const test = uncurried(RegExp.prototype.test);
  const exec = uncurried(RegExp.prototype.exec);
  const describeRegExp = uncurried(RegExp.prototype.toString);
  const describeDate = uncurried(Date.prototype.toISOString);
  const timeOf = uncurried(Date.prototype.getTime);
  const eachOfMap = uncurried(Map.prototype.forEach);
  const eachOfSet = uncurried(Set.prototype.forEach);
  const mapSize = uncurried(/** @type {any} */ (getOwnPropertyDescriptor(Map.prototype, 'size')).get);
  const setSize = uncurried(/** @type {any} */ (getOwnPropertyDescriptor(Set.prototype, 'size')).get);
  const lengthOf = uncurried(
    /** @type {any} */ (getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), 'length')).get,
  );
  /** Undefined for a DataView. */
  const viewName = uncurried(
    /** @type {any} */ (getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)).get,
  );
  const postTo = uncurried(MessagePort.prototype.postMessage);
  const makePromise = Promise.withResolvers.bind(Promise);
  const domErrorName = uncurried(/** @type {any} */ (getOwnPropertyDescriptor(DOMException.prototype, 'name')).get);
  const domErrorMessage = uncurried(
    /** @type {any} */ (getOwnPropertyDescriptor(DOMException.prototype, 'message')).get,
  );
  const stackGetter = getOwnPropertyDescriptor(new Error(), 'stack')?.get;
  const call = /\bcall-(\d+)\.js:(\d+)/;
  const scriptPlace = /((?:blob:|studio-preview-)[^\s()]*?):(\d+):(\d+)/g;
  const tellParent = isWindow ? parent.postMessage.bind(parent) : undefined;
  const Channel = MessageChannel;
  const portOf = uncurried(/** @type {any} */ (getOwnPropertyDescriptor(MessageChannel.prototype, 'port1')).get);
  const isName = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
  const hasFormat = /%[sdifoOc%]/;
  const formats = /%[sdifoOc%]/g;
  const isIndex = /^\d+$/;
  /** @type {Set<object>} never asked through its prototype */
  const known = new Set();
  known.has = known.has.bind(known);
  known.add = known.add.bind(known);
  known.delete = known.delete.bind(known);

  const dom = isWindow ? captureDom() : undefined;

  function captureDom() {
    const { prototype: node } = Node;
    const { prototype: element } = Element;
    const { prototype: canvas } = HTMLCanvasElement;
    /** @param {object} from @param {string} name */
    const getter = (from, name) => uncurried(/** @type {any} */ (getOwnPropertyDescriptor(from, name)).get);
    return {
      nodeType: getter(node, 'nodeType'),
      nodeName: getter(node, 'nodeName'),
      textOf: getter(node, 'textContent'),
      htmlOf: getter(element, 'outerHTML'),
      widthOf: getter(canvas, 'width'),
      heightOf: getter(canvas, 'height'),
      picture: uncurried(canvas.toDataURL),
      boxOf: uncurried(element.getBoundingClientRect),
      boxWidth: getter(DOMRectReadOnly.prototype, 'width'),
      boxHeight: getter(DOMRectReadOnly.prototype, 'height'),
      xmlOf: XMLSerializer.prototype.serializeToString.bind(new XMLSerializer()),
      create: document.createElement.bind(document),
      append: uncurried(element.append),
      remove: uncurried(element.remove),
      rootOf: getter(Document.prototype, 'documentElement'),
      document,
    };
  }

  /** @type {MessagePort} */
  let port;
  /** The evaluation under way; 0 between two. */
  let current = 0;
  let consoleLines = 0;
  let consoleCharacters = 0;
  let refusals = 0;
  /** Whether the window shows a page, as a preview's does. */
  let isPage = false;
  /** Makes the place where the page is an entry of its history. */
  /** @type {(url?: string) => void} */
  let addEntry = ignore;
  /** Takes note of a link to a part of the page that was followed. @type {(url: string) => void} */
  let noteHash = ignore;
  let roomUntil = 0;
  /** @type {Map<string, string>} names of a page's scripts by their addresses */
  const scriptNames = new Map();
  const [scriptName, noteScript] = [scriptNames.get.bind(scriptNames), scriptNames.set.bind(scriptNames)];

  /** @param {object} message */
  const send = (message) => postTo(port, stringify(message));

  // --- Values, as trees ---------------------------------------------------------------------------------------------

  /**
   * A value as a tree, for reading. Calls no getter, no trap but a proxy's own, and no method of the value's.
   * @param {unknown} value
   * @param {number} limit characters
   */
  function render(value, limit = MAX_TEXT_CHARACTERS) {
    let room = limit;
    let nodes = MAX_NODES;

    /** @param {unknown} text */
    const bounded = (text, max = room) => {
      const whole = toText(text);
      const part = slice(whole, 0, max < room ? max : room);
      room -= part.length;
      return part;
    };
    /** @param {unknown} text */
    const plain = (text) => ({ type: 'text', text: bounded(text) });

    /** @param {unknown} item @param {number} depth @returns {object} */
    const visit = (item, depth) => {
      if (--nodes < 0 || room <= 0) return { type: 'text', text: '…' };
      switch (typeof item) {
        case 'string':
          return { type: 'string', text: bounded(item), length: item.length };
        case 'number':
          return plain(is(item, -0) ? '-0' : item);
        case 'bigint':
          return plain(`${item}n`);
        case 'symbol':
        case 'undefined':
        case 'boolean':
          return plain(item);
        case 'function':
          return plain(describeFunction(item));
        default:
          break;
      }
      if (item === null) return plain('null');
      if (known.has(item)) return plain('[Circular]');
      known.add(item);
      try {
        return visitObject(item, depth);
      } catch {
        // A proxy may throw from any trap.
        return plain('[unreadable]');
      } finally {
        known.delete(item);
      }
    };

    /** @param {object} object @param {number} depth */
    const visitObject = (object, depth) => {
      if (dom !== undefined) {
        const shown = renderNode(object, bounded, depth === 0);
        if (shown !== undefined) return shown;
      }
      switch (brandOf(object)) {
        case 'error':
          return { type: 'error', text: bounded(describeError(object), 2_000) };
        case 'date':
          return plain(is(timeOf(object), Number.NaN) ? 'Invalid Date' : describeDate(object));
        case 'regexp':
          return plain(describeRegExp(object));
        case 'promise':
          return plain('Promise');
        case 'map': {
          const size = mapSize(object);
          return collection(`Map(${size}) `, '{', size, depth, (add) =>
            eachOfMap(object, (/** @type {unknown} */ entry, /** @type {unknown} */ key) =>
              add(() => [visit(key, depth + 1), visit(entry, depth + 1)]),
            ),
          );
        }
        case 'set': {
          const size = setSize(object);
          return collection(`Set(${size}) `, '{', size, depth, (add) =>
            eachOfSet(object, (/** @type {unknown} */ entry) => add(() => [null, visit(entry, depth + 1)])),
          );
        }
        case 'view': {
          const length = lengthOf(object);
          return collection(`${viewName(object)}(${length}) `, '[', length, depth, (add) => {
            for (let index = 0; index < length && index <= MAX_ITEMS; index++)
              add(() => [null, visit(/** @type {any} */ (object)[index], depth + 1)]);
          });
        }
        default:
          return isArray(object) ? visitArray(object, depth) : visitPlain(object, depth);
      }
    };

    /** @param {unknown[]} array @param {number} depth */
    const visitArray = (array, depth) => {
      const length = getOwnPropertyDescriptor(array, 'length')?.value ?? 0;
      return collection('', '[', length, depth, (add) => {
        for (let index = 0; index < length && index <= MAX_ITEMS; index++) {
          const property = getOwnPropertyDescriptor(array, index);
          add(() => [null, property === undefined ? plain('empty') : visitProperty(property, depth + 1)]);
        }
      });
    };

    /** @param {object} object @param {number} depth */
    const visitPlain = (object, depth) => {
      const keys = ownKeys(object);
      return collection(className(object), '{', keys.length, depth, (add) => {
        for (let index = 0; index < keys.length && index <= MAX_ITEMS; index++) {
          const key = keys[index];
          const property = key === undefined ? undefined : getOwnPropertyDescriptor(object, key);
          if (key !== undefined && property !== undefined)
            add(() => [bounded(keyText(key), MAX_KEY_CHARACTERS), visitProperty(property, depth + 1)]);
        }
      });
    };

    /** @param {PropertyDescriptor} property @param {number} depth */
    const visitProperty = (property, depth) => ('value' in property ? visit(property.value, depth) : plain('[Getter]'));

    /**
     * @param {string} label @param {'{' | '['} open @param {number} size @param {number} depth
     * @param {(add: (entry: () => unknown[]) => void) => void} fill
     */
    const collection = (label, open, size, depth, fill) => {
      /** @type {unknown[][]} */
      const entries = [];
      let count = 0;
      const shown = { type: 'object', label: bounded(label, MAX_KEY_CHARACTERS), open, entries, more: size };
      if (depth >= MAX_DEPTH) return shown;
      fill((entry) => {
        if (count >= MAX_ITEMS || nodes <= 0 || room <= 0) return;
        entries[count++] = entry();
      });
      shown.more = size - count;
      return shown;
    };

    return visit(value, 0);
  }

  /** What an object is, whatever it says of itself: asking its tag would call a getter of its own. @param {object} object */
  function brandOf(object) {
    /** @param {() => unknown} ask */
    const answers = (ask) => {
      try {
        ask();
        return true;
      } catch {
        return false;
      }
    };
    if (isView(object)) return typeof viewName(object) === 'string' ? 'view' : 'other';
    if (object instanceof Map) return answers(() => mapSize(object)) ? 'map' : 'other';
    if (object instanceof Set) return answers(() => setSize(object)) ? 'set' : 'other';
    if (object instanceof Date) return answers(() => timeOf(object)) ? 'date' : 'other';
    if (object instanceof RegExp) return answers(() => describeRegExp(object)) ? 'regexp' : 'other';
    if (object instanceof Promise) return 'promise';
    return object instanceof Error ? 'error' : 'other';
  }

  /** @param {object} object @param {(text: unknown, max?: number) => string} bounded @param {boolean} isDrawn */
  function renderNode(object, bounded, isDrawn) {
    if (dom === undefined) return undefined;
    let type = 0;
    try {
      type = dom.nodeType(object);
    } catch {
      return undefined;
    }
    if (type !== 1)
      return { type: 'text', text: bounded(`${dom.nodeName(object)} ${stringify(toText(dom.textOf(object)))}`) };
    try {
      const width = dom.widthOf(object);
      const height = dom.heightOf(object);
      const url = dom.picture(object);
      if (url.length <= MAX_IMAGE_CHARACTERS) return { type: 'image', url, width, height };
    } catch {
      // It is no canvas, or one that cannot be read.
    }
    const html = dom.htmlOf(object);
    const drawing = isDrawn && html.length <= MAX_DRAWING_CHARACTERS ? drawingOf(object) : undefined;
    return { type: 'html', text: bounded(html), length: html.length, ...(drawing && { drawing }) };
  }

  /** An element that can be drawn, and how large it is on the page. @param {object} object */
  function drawingOf(object) {
    if (dom === undefined) return undefined;
    const xml = dom.xmlOf(/** @type {Node} */ (object));
    if (xml.length > MAX_DRAWING_CHARACTERS) return undefined;
    const box = dom.boxOf(object);
    return { xml, width: ceil(dom.boxWidth(box)), height: ceil(dom.boxHeight(box)) };
  }

  /** @param {PropertyKey} key */
  function keyText(key) {
    if (typeof key === 'symbol') return `[${toText(key)}]`;
    return test(isName, key) || test(isIndex, key) ? toText(key) : stringify(key);
  }

  /** @param {object} object @param {PropertyKey} key */
  const ownValue = (object, key) => getOwnPropertyDescriptor(object, key)?.value;

  /** @param {Function} item */
  function describeFunction(item) {
    const name = ownValue(item, 'name');
    return `[Function ${typeof name === 'string' && name !== '' ? slice(name, 0, MAX_KEY_CHARACTERS) : 'anonymous'}]`;
  }

  /** @param {object} object */
  function className(object) {
    const prototype = getPrototypeOf(object);
    if (prototype === null) return '[no prototype] ';
    const maker = ownValue(prototype, 'constructor');
    const name = typeof maker === 'function' ? ownValue(maker, 'name') : undefined;
    return typeof name === 'string' && name !== 'Object' && name !== '' ? `${slice(name, 0, 80)} ` : '';
  }

  /** @param {object} error */
  function errorName(error) {
    for (
      let at = /** @type {object | null} */ (error), depth = 0;
      at !== null && depth < 8;
      at = getPrototypeOf(at), depth++
    ) {
      const name = ownValue(at, 'name');
      if (typeof name === 'string') return slice(name, 0, MAX_KEY_CHARACTERS);
    }
    return 'Error';
  }

  /** @param {object} error */
  function describeError(error) {
    try {
      // The browser's own errors have neither as a property of theirs.
      return `${domErrorName(error)}: ${domErrorMessage(error)}`;
    } catch {
      // It is no DOMException.
    }
    const message = ownValue(error, 'message');
    const cause = ownValue(error, 'cause');
    const text = `${errorName(error)}${typeof message === 'string' && message !== '' ? `: ${message}` : ''}`;
    return cause instanceof Error
      ? `${text} (caused by ${errorName(cause)}: ${toText(ownValue(cause, 'message') ?? '')})`
      : text;
  }

  /** @param {unknown} error */
  function stackOf(error) {
    if (!(error instanceof Error)) return '';
    const property = getOwnPropertyDescriptor(error, 'stack');
    const stack =
      property?.value ??
      (property?.get === stackGetter && stackGetter !== undefined ? apply(stackGetter, error, []) : '');
    return typeof stack === 'string' ? stack : '';
  }

  /** Where in an evaluation's code an error was made. @param {unknown} error */
  function placeOf(error) {
    const found = exec(call, stackOf(error));
    return found === null ? undefined : { run: +found[1], line: +found[2] };
  }

  /** Where in a page's scripts, the innermost first. @param {string} stack */
  function placesIn(stack) {
    /** @type {object[]} */
    const places = [];
    scriptPlace.lastIndex = 0;
    for (let found = exec(scriptPlace, stack); found !== null && places.length < MAX_PLACES; ) {
      const script = scriptName(found[1]) ?? found[1];
      places[places.length] = { script, line: +found[2], column: +found[3] };
      found = exec(scriptPlace, stack);
    }
    return places;
  }

  /** @param {unknown} error */
  function renderError(error) {
    const place = placeOf(error);
    const value = render(error);
    const at = isPage ? placesIn(stackOf(error)) : [];
    return { value, isError: error instanceof Error, ...(place && { place }), ...(at.length > 0 && { at }) };
  }

  // --- Console ------------------------------------------------------------------------------------------------------

  /** Whether one more line may be sent. The first that may not is replaced by a notice. */
  function hasRoom() {
    const time = isPage ? apply(now, clock, []) : 0;
    if (time > roomUntil) [consoleLines, consoleCharacters, roomUntil] = [0, 0, time + PAGE_CONSOLE_MS];
    if (consoleLines > MAX_CONSOLE_LINES) return false;
    consoleLines++;
    if (consoleLines <= MAX_CONSOLE_LINES && consoleCharacters < MAX_CONSOLE_CHARACTERS) return true;
    consoleLines = MAX_CONSOLE_LINES + 1;
    const values = [{ type: 'text', text: '[more output was dropped]' }];
    send({ type: 'console', run: current, level: 'warn', values });
    return false;
  }

  /**
   * What a format string asks for, in it: texts and numbers. Everything else stays a value of its own.
   * @param {readonly unknown[]} values
   */
  function formatted(values) {
    const [first] = values;
    if (typeof first !== 'string' || !test(hasFormat, first)) return values;
    let next = 1;
    let text = '';
    let from = 0;
    formats.lastIndex = 0;
    for (let found = exec(formats, first); found !== null; found = exec(formats, first)) {
      const value = values[next];
      const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
      text += slice(first, from, found.index);
      from = formats.lastIndex;
      if (found[0] === '%%') text += '%';
      else if (next >= values.length || (!isText && found[0] !== '%c')) text += found[0];
      else {
        if (found[0] !== '%c') text += toText(value);
        next++;
      }
    }
    /** @type {unknown[]} */
    const all = [text + slice(first, from)];
    for (; next < values.length; next++) all[all.length] = values[next];
    return all;
  }

  /** @param {string} level @param {readonly unknown[]} given */
  function print(level, given) {
    if (!hasRoom()) return;
    const values = formatted(given);
    const shown = [];
    for (let index = 0; index < values.length && index < MAX_ITEMS; index++) {
      const tree = render(
        values[index],
        MAX_CONSOLE_CHARACTERS - consoleCharacters < MAX_TEXT_CHARACTERS ? 1_000 : MAX_TEXT_CHARACTERS,
      );
      consoleCharacters += stringify(tree).length;
      shown[index] = tree;
    }
    send({ type: 'console', run: current, level, values: shown });
  }

  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, number>} */
  const timers = new Map();
  /** @type {Record<string, (...values: unknown[]) => void>} */
  const methods = {
    log: (...values) => print('log', values),
    info: (...values) => print('info', values),
    warn: (...values) => print('warn', values),
    error: (...values) => print('error', values),
    debug: (...values) => print('debug', values),
    table: (...values) => print('log', values),
    dir: (value) => print('log', [value]),
    trace: (...values) => print('log', ['Trace:', ...values]),
    group: (...values) => print('log', values),
    groupCollapsed: (...values) => print('log', values),
    groupEnd: ignore,
    assert: (condition, ...values) => {
      if (!condition) print('error', ['Assertion failed:', ...values]);
    },
    count: (label = 'default') => {
      const count = (counts.get(toText(label)) ?? 0) + 1;
      counts.set(toText(label), count);
      print('log', [`${toText(label)}: ${count}`]);
    },
    time: (label = 'default') => void timers.set(toText(label), apply(now, clock, [])),
    timeEnd: (label = 'default') => {
      const start = timers.get(toText(label));
      timers.delete(toText(label));
      if (start !== undefined) print('log', [`${toText(label)}: ${(apply(now, clock, []) - start).toFixed(2)} ms`]);
    },
  };
  Object.assign(console, methods);

  function listenForErrors() {
    global.addEventListener('error', (event) => {
      const { error, message, filename, lineno, colno } = /** @type {ErrorEvent} */ (event);
      if (!hasRoom()) return;
      const told = { type: 'uncaught', run: current, ...renderError(error ?? new Error(message)) };
      const at = isPage && told.at === undefined ? placesIn(`${filename}:${lineno}:${colno}`) : [];
      send({ ...told, ...(at.length > 0 && { at }) });
    });
    global.addEventListener('unhandledrejection', (event) => {
      if (hasRoom())
        send({ type: 'uncaught', run: current, ...renderError(/** @type {PromiseRejectionEvent} */ (event).reason) });
    });
    const onRefusal = (/** @type {Event} */ event) => {
      const { effectiveDirective, blockedURI, lineNumber, sourceFile } = /** @type {SecurityPolicyViolationEvent} */ (
        event
      );
      // A picture of the workspace, which the page's window is about to be given.
      const isOwn = startsWith(blockedURI, `${frameOrigin}/`);
      if (isPage && isOwn && effectiveDirective === 'img-src') return;
      if (refusals++ >= MAX_REFUSALS) return;
      const found = exec(call, `${sourceFile}:${lineNumber}`);
      send({
        type: 'refused',
        run: current,
        directive: slice(effectiveDirective, 0, 100),
        // What would be a file of the workspace goes by its path.
        target: slice(isPage && isOwn ? slice(blockedURI, frameOrigin.length) : blockedURI, 0, 500),
        ...(found !== null && { line: +found[2] }),
      });
    };
    // Before any listener of the code, which could keep it from being told.
    global.addEventListener('securitypolicyviolation', onRefusal, { capture: true });
  }
  listenForErrors();

  // --- Workers ------------------------------------------------------------------------------------------------------

  /** Threads of their own, that would take the machine's time from the page: few, and none in them. */
  function limitWorkers() {
    const { Worker: Original, XMLHttpRequest: Request, Blob: Bytes, URL: Address } = global;
    const makeUrl = Address.createObjectURL.bind(Address);
    const terminate = uncurried(Original.prototype.terminate);
    let running = 0;
    /** @param {unknown} url */
    const sourceOf = (url) => {
      const request = new Request();
      request.open('GET', toText(url), false);
      request.send();
      return request.responseText;
    };
    const Limited = new Proxy(Original, {
      construct(target, [url, options]) {
        if (running >= MAX_WORKERS)
          throw new RangeError(
            `At most ${MAX_WORKERS} workers can run at once; call terminate() on those that are done.`,
          );
        const source = `delete self.Worker; ${sourceOf(url)}`;
        const worker = new target(makeUrl(new Bytes([source], { type: 'text/javascript' })), options);
        running++;
        return worker;
      },
    });
    /** @type {WeakSet<Worker>} */
    const ended = new WeakSet();
    const [hasEnded, noteEnd] = [ended.has.bind(ended), ended.add.bind(ended)];
    Original.prototype.constructor = Limited;
    Original.prototype.terminate = function () {
      terminate(this);
      if (hasEnded(this)) return;
      noteEnd(this);
      running--;
    };
    Object.defineProperty(global, 'Worker', { value: Limited, configurable: true, writable: true });
  }

  /**
   * A page's history is its own: an entry in the browser's would be the studio's too, each step in that may lead the studio
   * away, and each change of it is the browser's work. Code only replaces the browser's entry; links to parts of a page, and
   * code that sets the fragment, are beyond reach.
   */
  function limitHistory() {
    const { prototype } = History;
    const replace = uncurried(prototype.replaceState);
    const stateOf = uncurried(/** @type {any} */ (getOwnPropertyDescriptor(prototype, 'state')).get);
    const later = global.setTimeout.bind(global);
    const tell = global.dispatchEvent.bind(global);
    const reload = location.reload.bind(location);
    const find = document.getElementById.bind(document);
    const { PopStateEvent: StateEvent, HashChangeEvent: HashEvent } = global;
    const current = () => ({ state: stateOf(history), url: location.href });
    let entries = [current()];
    let at = 0;
    addEntry = (url = location.href) => {
      const before = entries;
      entries = [];
      for (let index = 0; index <= at; index++) entries[index] = /** @type {any} */ (before[index]);
      entries[++at] = { state: stateOf(history), url };
    };
    noteHash = (url) => {
      // The person went back or on, or the code has gone there itself.
      if (entries[at]?.url === url) return;
      if (entries[at - 1]?.url === url) at--;
      else if (entries[at + 1]?.url === url) at++;
      else addEntry(url);
    };
    let changes = 0;
    /** @param {unknown} state @param {string | URL | null | undefined} url */
    const change = (state, url) => {
      if (++changes > MAX_HISTORY_CHANGES)
        throw new RangeError(`At most ${MAX_HISTORY_CHANGES} changes of the history are made in one session.`);
      replace(history, state, '', url);
    };
    prototype.pushState = (state, _title, url) => {
      change(state, url);
      addEntry();
    };
    prototype.replaceState = (state, _title, url) => {
      change(state, url);
      entries[at] = current();
    };
    prototype.back = () => goBy(-1);
    prototype.forward = () => goBy(1);
    // Loading itself anew is for pages.
    prototype.go = (by = 0) => ((+by | 0) !== 0 ? goBy(+by | 0) : isPage ? reload() : undefined);
    /** @param {number} steps */
    const goBy = (steps) => {
      later(() => {
        const entry = entries[at + steps];
        if (entry === undefined) return;
        at += steps;
        const [oldURL, oldHash] = [location.href, location.hash];
        change(entry.state, entry.url);
        tell(new StateEvent('popstate', { state: stateOf(history) }));
        if (location.hash === oldHash) return;
        tell(new HashEvent('hashchange', { oldURL, newURL: location.href }));
        find(decoded(slice(location.hash, 1)))?.scrollIntoView();
      }, 0);
    };
    Object.defineProperty(prototype, 'length', { configurable: true, get: () => entries.length });
    listenForHashes();
  }

  /** @param {string} text */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /** A link to a part of the page makes an entry, and so does code that sets it. */
  function listenForHashes() {
    global.addEventListener('hashchange', (event) => {
      const { isTrusted, newURL } = /** @type {HashChangeEvent} */ (event);
      if (isTrusted) noteHash(newURL);
    });
  }

  // --- Dialogs and windows ------------------------------------------------------------------------------------------

  /** What a frame without dialogs and windows would ignore silently. */
  function tellOfDialogs() {
    const tell = (/** @type {string} */ text) => print('info', [text]);
    global.alert = (message = '') => tell(`alert: ${toText(message)}`);
    global.confirm = (message = '') => {
      tell(`confirm: ${toText(message)} (there are no dialogs here; the answer is "Cancel")`);
      return false;
    };
    global.prompt = (message = '') => {
      tell(`prompt: ${toText(message)} (there are no dialogs here; there is no answer)`);
      return null;
    };
    global.print = () => tell('print: nothing is printed here');
    global.open = (address = '') => {
      if (refusals++ < MAX_REFUSALS)
        send({ type: 'refused', run: current, directive: 'popup', target: slice(toText(address), 0, 500) });
      return null;
    };
  }

  // --- Files --------------------------------------------------------------------------------------------------------

  /** @type {Map<number, { resolve(value: unknown): void, reject(error: unknown): void }>} */
  const requests = new Map();
  const [getRequest, setRequest, deleteRequest] = [
    requests.get.bind(requests),
    requests.set.bind(requests),
    requests.delete.bind(requests),
  ];
  let lastRequest = 0;

  /** @param {'read' | 'write' | 'list' | 'bundle'} method @param {unknown} path @param {unknown} [text] */
  function askForFile(method, path, text) {
    const { promise, resolve, reject } = makePromise();
    if (text !== undefined && toText(text).length > MAX_FILE_CHARACTERS) {
      reject(new RangeError(`At most ${MAX_FILE_CHARACTERS} characters can be written to a file at once.`));
      return promise;
    }
    setRequest(++lastRequest, { resolve, reject });
    send({
      type: 'file',
      run: current,
      request: lastRequest,
      method,
      path: toText(path),
      ...(text !== undefined && { text: toText(text) }),
    });
    return promise;
  }

  Object.defineProperty(global, 'vfs', {
    value: Object.freeze({
      readFile: (/** @type {unknown} */ path) => askForFile('read', path),
      writeFile: (/** @type {unknown} */ path, /** @type {unknown} */ text) => askForFile('write', path, text ?? ''),
      list: (/** @type {unknown} */ path = '/') => askForFile('list', path),
    }),
    configurable: true,
  });

  /** @param {{ request: number, error?: string, value?: unknown }} answer */
  function takeAnswer({ request, error, value }) {
    const waiting = getRequest(request);
    deleteRequest(request);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  // --- Pages --------------------------------------------------------------------------------------------------------

  /**
   * Shows a page in this window. `prelude` is code of ours that gives it what an opaque window lacks.
   * @param {{ html: string, scripts: { name: string, token: string, text: string }[], prelude: string, given: object }} page
   */
  function openPage({ html, scripts, prelude, given }) {
    isPage = true;
    let whole = html;
    for (const { name, token, text } of scripts) {
      const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
      noteScript(url, name);
      whole = whole.split(token).join(url);
    }
    const { readFile } = /** @type {any} */ (global).vfs;
    delete (/** @type {any} */ (global).vfs);
    document.open();
    // That has taken the window's listeners away.
    listenForErrors();
    const onLoad = () => send({ type: 'loaded', title: slice(toText(document.title), 0, 1_000) });
    global.addEventListener('load', onLoad, { once: true });
    listenForHashes();
    // No code can make such an event itself.
    const onPress = (/** @type {Event} */ event) => event.isTrusted && send({ type: 'pressed' });
    global.addEventListener('pointerdown', onPress, { capture: true });
    evaluate(`(${prelude})`)({
      ...given,
      readFile,
      bundle: (/** @type {unknown} */ path) => askForFile('bundle', path),
      scroll: (/** @type {number} */ x, /** @type {number} */ y) => send({ type: 'scrolled', x: +x, y: +y }),
      store: (/** @type {string} */ area, /** @type {object} */ entries) => send({ type: 'stored', area, entries }),
      leave: (/** @type {string} */ address) => send({ type: 'leaving', address: slice(toText(address), 0, 2_000) }),
    });
    document.write(whole);
    document.close();
  }

  // --- Evaluation ---------------------------------------------------------------------------------------------------

  /** @type {Set<string>} */
  const declared = new Set();
  const isDeclared = declared.has.bind(declared);
  const noteDeclared = declared.add.bind(declared);

  /** Makes global bindings, so that even names of the window's own properties can be declared. @param {string[]} names */
  function declare(names) {
    for (const name of names) {
      if (isDeclared(name)) continue;
      if (!declareOne(`let ${name};`)) {
        const property = getOwnPropertyDescriptor(global, name);
        if (property !== undefined && !property.configurable && property.writable !== true)
          throw new SyntaxError(`Identifier '${name}' has already been declared`);
      }
      noteDeclared(name);
    }
  }

  /** Runs a script of its own: only there is what it declares global. @param {string} source */
  function declareOne(source) {
    if (dom === undefined) {
      try {
        const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
        /** @type {any} */ (global).importScripts(url);
        URL.revokeObjectURL(url);
        return true;
      } catch {
        return false;
      }
    }
    let failed = false;
    const onError = (/** @type {Event} */ event) => {
      failed = true;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const script = dom.create('script');
    script.textContent = source;
    global.addEventListener('error', onError, true);
    dom.append(dom.rootOf(dom.document), script);
    dom.remove(script);
    global.removeEventListener('error', onError, true);
    return !failed;
  }

  /** @param {{ run: number, code: string, lexical: string[], variables: string[] }} request */
  async function run({ run, code, lexical, variables }) {
    current = run;
    consoleLines = 0;
    consoleCharacters = 0;
    try {
      declare(lexical);
      if (variables.length > 0) evaluate(`var ${variables};`);
      let value = evaluate(`${code}\n//# sourceURL=call-${run}.js`);
      if (value instanceof Promise) value = await value;
      send({ type: 'outcome', run, value: render(value) });
    } catch (error) {
      send({ type: 'failure', run, ...renderError(error) });
    }
    current = 0;
    // Behind everything that the code has sent on this way: the page waits for it, and knows it by its port.
    tellParent?.(null, '*', [portOf(new Channel())]);
  }

  /** @param {MessagePort} given */
  function connect(given) {
    port = given;
    limitWorkers();
    if (isWindow) {
      limitHistory();
      tellOfDialogs();
    }
    port.onmessage = ({ data }) => {
      const message = parse(data);
      if (message.type === 'run') void run(message);
      else if (message.type === 'answer') takeAnswer(message);
      else if (message.type === 'page') openPage(message);
      else if (message.type === 'spin') {
        const end = apply(now, clock, []) + message.ms;
        while (apply(now, clock, []) < end);
        send({ type: 'spun' });
      }
    };
    send({ type: 'ready' });
  }

  global.addEventListener('message', function onConnect(event) {
    const [given] = event.ports;
    if (given === undefined || (isWindow && event.source !== parent)) return;
    global.removeEventListener('message', onConnect);
    event.stopImmediatePropagation();
    if (!event.data.inWorker) return connect(given);
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    worker.postMessage({ inWorker: false }, [given]);
  });
})();
