import type { RenderedObject, RenderedValue } from '#lib/tools/capabilities/rendered-value.ts';
import { brandOf, className, describeError, describeFunction, keyText } from './describe.ts';
import { DEPTH_MAX, ITEMS_MAX, KEY_MAX_CHARS, NODES_MAX, TEXT_MAX_CHARS } from './limits.ts';
import {
  boundSet,
  describeDate,
  describeRegExp,
  eachOfMap,
  eachOfSet,
  getOwnPropertyDescriptor,
  is,
  isArray,
  lengthOf,
  mapSize,
  ownKeys,
  setSize,
  slice,
  timeOf,
  toText,
  viewName,
} from './primordials.ts';
import { renderNode } from './render-node.ts';

/** The part of an error that is shown, in characters. */
const ERROR_MAX_CHARS = 2_000;

type Entry = RenderedObject['entries'][number];

/** The objects that contain the one being rendered. */
const containers = boundSet<object>();

/**
 * Returns a value as a tree for display, with at most `limit` characters, and within `NODES_MAX`, `DEPTH_MAX`, and `ITEMS_MAX`.
 * Calls no getter and no method of the value; of a proxy, only its traps.
 */
export function render(value: unknown, limit = TEXT_MAX_CHARS): RenderedValue {
  let room = limit;
  let nodes = NODES_MAX;

  const bounded = (text: unknown, max = room): string => {
    const part = slice(toText(text), 0, max < room ? max : room);
    room -= part.length;
    return part;
  };

  const plain = (text: unknown): RenderedValue => ({ type: 'text', text: bounded(text) });

  const visit = (item: unknown, depth: number): RenderedValue => {
    if (--nodes < 0 || room <= 0) return { type: 'text', text: '…' };
    if (typeof item === 'string') return { type: 'string', text: bounded(item), length: item.length };
    if (typeof item === 'function') return plain(describeFunction(item));
    if (typeof item === 'bigint') return plain(`${item}n`);
    if (typeof item !== 'object' || item === null) return plain(is(item, -0) ? '-0' : item);
    if (containers.has(item)) return plain('[Circular]');
    containers.add(item);
    try {
      return visitObject(item, depth);
    } catch {
      // A proxy may throw from any trap.
      return plain('[unreadable]');
    } finally {
      containers.delete(item);
    }
  };

  const visitObject = (object: object, depth: number): RenderedValue => {
    const node = renderNode(object, bounded, depth === 0);
    if (node !== undefined) return node;
    switch (brandOf(object)) {
      case 'error':
        return { type: 'error', text: bounded(describeError(object), ERROR_MAX_CHARS) };
      case 'date':
        return plain(is(timeOf(object), Number.NaN) ? 'Invalid Date' : describeDate(object));
      case 'regexp':
        return plain(describeRegExp(object));
      case 'promise':
        return plain('Promise');
      case 'map': {
        const size = mapSize(object);
        return collection(`Map(${size}) `, '{', size, depth, (add) =>
          eachOfMap(object, (entry, key) => add(() => [visit(key, depth + 1), visit(entry, depth + 1)])),
        );
      }
      case 'set': {
        const size = setSize(object);
        return collection(`Set(${size}) `, '{', size, depth, (add) =>
          eachOfSet(object, (entry) => add(() => [null, visit(entry, depth + 1)])),
        );
      }
      case 'view': {
        const length = lengthOf(object);
        return collection(`${viewName(object)}(${length}) `, '[', length, depth, (add) => {
          for (let index = 0; index < length && index <= ITEMS_MAX; index++)
            add(() => [null, visit((object as ArrayLike<unknown>)[index], depth + 1)]);
        });
      }
      default:
        return isArray(object) ? visitArray(object, depth) : visitPlain(object, depth);
    }
  };

  const visitArray = (array: readonly unknown[], depth: number): RenderedValue => {
    const length = getOwnPropertyDescriptor(array, 'length')?.value ?? 0;
    return collection('', '[', length, depth, (add) => {
      for (let index = 0; index < length && index <= ITEMS_MAX; index++) {
        const property = getOwnPropertyDescriptor(array, index);
        add(() => [null, property === undefined ? plain('empty') : visitProperty(property, depth + 1)]);
      }
    });
  };

  const visitPlain = (object: object, depth: number): RenderedValue => {
    const keys = ownKeys(object);
    return collection(className(object), '{', keys.length, depth, (add) => {
      for (let index = 0; index < keys.length && index <= ITEMS_MAX; index++) {
        const key = keys[index];
        const property = key === undefined ? undefined : getOwnPropertyDescriptor(object, key);
        if (key !== undefined && property !== undefined)
          add(() => [bounded(keyText(key), KEY_MAX_CHARS), visitProperty(property, depth + 1)]);
      }
    });
  };

  const visitProperty = (property: PropertyDescriptor, depth: number): RenderedValue =>
    'value' in property ? visit(property.value, depth) : plain('[Getter]');

  const collection = (
    label: string,
    open: RenderedObject['open'],
    size: number,
    depth: number,
    fill: (add: (entry: () => Entry) => void) => void,
  ): RenderedValue => {
    const entries: Entry[] = [];
    let count = 0;
    const shown: RenderedObject = { type: 'object', label: bounded(label, KEY_MAX_CHARS), open, entries, more: size };
    if (depth >= DEPTH_MAX) return shown;
    fill((entry) => {
      if (count >= ITEMS_MAX || nodes <= 0 || room <= 0) return;
      entries[count++] = entry();
    });
    shown.more = size - count;
    return shown;
  };

  return visit(value, 0);
}
