// @ts-check
/// <reference lib="webworker" />
// Runs inside a worker inside the opaque frame, with acorn loaded before it. Everything here is within reach of the
// code it evaluates, so the page validates each message as if it were forged.

(() => {
  /** Bounds of what one evaluation can send back. The page checks them again. */
  const MAX_VALUE_CHARACTERS = 20_000;
  const MAX_CONSOLE_CHARACTERS = 100_000;
  const MAX_CONSOLE_LINES = 1_000;
  const MAX_DEPTH = 4;
  const MAX_ITEMS = 100;
  const SOURCE_NAME = 'code.js';

  // Kept before any evaluated code can replace them.
  const post = self.postMessage.bind(self);
  const evaluate = self.eval;
  const { acorn } = /** @type {{ acorn: typeof import('acorn') }} */ (/** @type {unknown} */ (self));
  const { getOwnPropertyDescriptor, getPrototypeOf, is } = Object;
  const { ownKeys } = Reflect;
  const toTag = Object.prototype.toString;
  const describeRegExp = RegExp.prototype.toString;
  const describeDate = Date.prototype.toISOString;
  const mapEntries = Map.prototype.entries;
  const setValues = Set.prototype.values;
  const { stringify } = JSON;
  const toText = String;

  /**
   * A value as text, for reading. Calls no getter, no `toString` and no `toJSON` of the value's own.
   * @param {unknown} value
   * @param {number} limit characters
   */
  function render(value, limit = MAX_VALUE_CHARACTERS) {
    let text = '';
    let full = false;
    /** @type {Map<object, number>} */
    const seen = new Map();

    /** @param {string} piece */
    const write = (piece) => {
      if (full) return;
      text += piece;
      if (text.length <= limit) return;
      text = `${text.slice(0, limit)}… [cut at ${limit} characters]`;
      full = true;
    };

    /** @param {object} object @param {PropertyKey} key */
    const ownValue = (object, key) => getOwnPropertyDescriptor(object, key)?.value;

    /** @param {Iterable<unknown>} items @param {(item: any) => void} writeItem @param {number} size */
    const writeItems = (items, writeItem, size) => {
      let count = 0;
      for (const item of items) {
        if (full) return;
        if (count > 0) write(', ');
        if (count++ >= MAX_ITEMS) return write(`… ${size - MAX_ITEMS} more`);
        writeItem(item);
      }
    };

    /** @param {unknown} item @param {number} depth */
    const visit = (item, depth) => {
      if (full) return;
      switch (typeof item) {
        case 'string':
          return write(stringify(item));
        case 'number':
          return write(is(item, -0) ? '-0' : `${item}`);
        case 'bigint':
          return write(`${item}n`);
        case 'symbol':
          return write(toText(item));
        case 'function': {
          const name = ownValue(item, 'name');
          return write(`[Function ${typeof name === 'string' && name !== '' ? name : 'anonymous'}]`);
        }
        case 'object':
          break;
        default:
          return write(`${item}`);
      }
      if (item === null) return write('null');
      if (seen.has(item)) return write('[Circular]');
      if (depth > MAX_DEPTH) return write('[…]');
      seen.set(item, depth);
      visitObject(item, depth);
      seen.delete(item);
    };

    /** @param {object} object @param {number} depth */
    const visitObject = (object, depth) => {
      if (object instanceof Error) {
        const message = ownValue(object, 'message');
        return write(`${errorName(object)}: ${typeof message === 'string' ? message : ''}`);
      }
      if (object instanceof Date) return write(Number.isNaN(+object) ? 'Invalid Date' : describeDate.call(object));
      if (object instanceof RegExp) return write(describeRegExp.call(object));
      if (object instanceof Promise) return write('Promise');
      if (object instanceof Map) {
        write(`Map(${object.size}) {`);
        writeItems(
          mapEntries.call(object),
          ([key, entry]) => {
            visit(key, depth + 1);
            write(' => ');
            visit(entry, depth + 1);
          },
          object.size,
        );
        return write('}');
      }
      if (object instanceof Set) {
        write(`Set(${object.size}) {`);
        writeItems(setValues.call(object), (entry) => visit(entry, depth + 1), object.size);
        return write('}');
      }
      if (ArrayBuffer.isView(object) && !(object instanceof DataView)) {
        const items = /** @type {Uint8Array} */ (object);
        write(`${toTag.call(items).slice(8, -1)}(${items.length}) [`);
        writeItems(items, (entry) => visit(entry, depth + 1), items.length);
        return write(']');
      }
      const isArray = Array.isArray(object);
      const keys = ownKeys(object).filter((key) => !(isArray && key === 'length'));
      write(isArray ? '[' : `${className(object)}{`);
      writeItems(
        keys,
        (/** @type {PropertyKey} */ key) => {
          const name = toText(key);
          if (!isArray || !/^\d+$/.test(name))
            write(`${typeof key === 'symbol' ? `[${name}]` : /^[\w$]+$/.test(name) ? name : stringify(name)}: `);
          const property = getOwnPropertyDescriptor(object, key);
          if (property !== undefined && 'value' in property) visit(property.value, depth + 1);
          else write('[Getter]');
        },
        keys.length,
      );
      write(isArray ? ']' : '}');
    };

    /** @param {object} object */
    const className = (object) => {
      const prototype = getPrototypeOf(object);
      const maker = prototype === null ? undefined : ownValue(prototype, 'constructor');
      const name = typeof maker === 'function' ? ownValue(maker, 'name') : undefined;
      return typeof name === 'string' && name !== 'Object' && name !== '' ? `${name} ` : '';
    };

    try {
      visit(value, 0);
    } catch {
      // A Proxy may throw from any trap.
      write('[unreadable]');
    }
    return text;
  }

  /** @param {unknown} error */
  function errorName(error) {
    for (
      let at = /** @type {object | null} */ (error), depth = 0;
      at !== null && depth < 8;
      at = getPrototypeOf(at), depth++
    ) {
      const name = getOwnPropertyDescriptor(at, 'name')?.value;
      if (typeof name === 'string') return name;
    }
    return 'Error';
  }

  /** @param {unknown} value */
  const renderTop = (value) =>
    typeof value === 'string'
      ? value.length > MAX_VALUE_CHARACTERS
        ? `${value.slice(0, MAX_VALUE_CHARACTERS)}… [cut at ${MAX_VALUE_CHARACTERS} characters]`
        : value
      : render(value);

  /** @type {{ level: string, text: string }[]} */
  const lines = [];
  let consoleCharacters = 0;
  for (const level of /** @type {const} */ (['log', 'info', 'warn', 'error', 'debug'])) {
    console[level] = (/** @type {unknown[]} */ ...values) => {
      if (lines.length >= MAX_CONSOLE_LINES || consoleCharacters >= MAX_CONSOLE_CHARACTERS) return;
      const room = MAX_CONSOLE_CHARACTERS - consoleCharacters;
      let text = values.map(renderTop).join(' ');
      if (text.length > room) text = text.slice(0, room);
      consoleCharacters += text.length;
      lines.push({ level, text });
      if (lines.length === MAX_CONSOLE_LINES || consoleCharacters >= MAX_CONSOLE_CHARACTERS) {
        lines.push({ level: 'warn', text: '[more output was cut]' });
      }
    };
  }

  /**
   * The code as it is run: untouched, so that the engine gives the completion value itself; or, with await or return
   * at the top, as the body of an async function that returns its last expression.
   * @param {string} code
   */
  function prepare(code) {
    /** @type {import('acorn').Options} */
    const options = {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    };
    const { body } = acorn.parse(code, options);
    try {
      acorn.parse(code, { ecmaVersion: 'latest', sourceType: 'script' });
      return code;
    } catch {
      // It has await or return at the top.
    }
    const last = body.at(-1);
    if (last?.type !== 'ExpressionStatement') return `(async () => {${code}\n})()`;
    const { start, end } = last.expression;
    return `(async () => {${code.slice(0, last.start)}return (${code.slice(start, end)});\n})()`;
  }

  /** @param {unknown} error @param {string} code */
  function renderError(error, code) {
    if (!(error instanceof Error)) return `Uncaught ${render(error)}`;
    const message = getOwnPropertyDescriptor(error, 'message')?.value;
    const stack = getOwnPropertyDescriptor(error, 'stack')?.value;
    const position = /** @type {{ loc?: { line: number, column: number } }} */ (error).loc;
    const line = position?.line ?? Number(new RegExp(`${SOURCE_NAME}:(\\d+)`).exec(toText(stack))?.[1]);
    const text = `${errorName(error)}: ${toText(message ?? '').replace(/ \(\d+:\d+\)$/, '')}`;
    if (!(line >= 1)) return text;
    return `${text}\n    at line ${line}: ${(code.split('\n')[line - 1] ?? '').trim().slice(0, 200)}`;
  }

  self.onmessage = async ({ data }) => {
    const { id, code } = data;
    try {
      const value = await evaluate(`${prepare(code)}\n//# sourceURL=${SOURCE_NAME}`);
      post({ type: 'outcome', id, value: renderTop(value), console: lines });
    } catch (error) {
      post({ type: 'failure', id, message: renderError(error, code), console: lines });
    }
  };
  post({ type: 'ready' });
})();
