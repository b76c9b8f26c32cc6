import { describe, expect, test } from 'vitest';
import { keysOf, pressedKeys, SHORTCUTS } from './shortcuts.ts';

/** A key press as the browser reports it. */
const press = (key: string, code: string, modifiers: Partial<KeyboardEvent> = {}) =>
  ({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...modifiers }) as KeyboardEvent;

describe('pressed keys', () => {
  test.each([
    ['a letter', press('k', 'KeyK', { ctrlKey: true }), ['Mod', 'K']],
    ['the same on a Mac', press('k', 'KeyK', { metaKey: true }), ['Mod', 'K']],
    ['a letter with Shift', press('F', 'KeyF', { ctrlKey: true, shiftKey: true }), ['Mod', 'Shift', 'F']],
    ['a letter on a Cyrillic keyboard', press('л', 'KeyK', { ctrlKey: true }), ['Mod', 'K']],
    ['a letter on a Dvorak keyboard', press('k', 'KeyV', { ctrlKey: true }), ['Mod', 'K']],
    ['a letter with Alt on a Mac', press('˚', 'KeyK', { altKey: true }), ['Alt', 'K']],
    ['a digit', press('1', 'Digit1', { ctrlKey: true }), ['Mod', '1']],
    ['a digit with Shift', press('!', 'Digit1', { ctrlKey: true, shiftKey: true }), ['Mod', 'Shift', '1']],
    ['an arrow', press('ArrowUp', 'ArrowUp', { altKey: true, shiftKey: true }), ['Alt', 'Shift', '↑']],
    ['a sign that takes Shift', press('?', 'Slash', { shiftKey: true }), ['?']],
    ['a function key', press('F6', 'F6', { shiftKey: true }), ['Shift', 'F6']],
    ['Escape', press('Escape', 'Escape'), ['Esc']],
    ['only Ctrl', press('Control', 'ControlLeft', { ctrlKey: true }), undefined],
  ])('%s', (_, event, keys) => expect(pressedKeys(event)).toEqual(keys));
});

test('no two shortcuts have the same keys, and all keys can be pressed as they are named', () => {
  const all = SHORTCUTS.map(({ keys }) => keys.join('+'));
  expect(new Set(all).size).toBe(all.length);
});

test('the person’s own keys count, and none at all', () => {
  const [palette] = SHORTCUTS;
  if (palette === undefined) throw new Error('no shortcuts');
  expect(keysOf(palette, { shortcuts: {} })).toEqual(['Mod', 'K']);
  expect(keysOf(palette, { shortcuts: { palette: ['Mod', 'Shift', 'P'] } })).toEqual(['Mod', 'Shift', 'P']);
  expect(keysOf(palette, { shortcuts: { palette: [] } })).toEqual([]);
});
