import { expect, test } from 'vitest';
import { restoredSettings } from './restored-settings.ts';
import { settingsSchema } from './settings.ts';

const PRICE = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 };
const usual = settingsSchema.parse({});

test('where nothing was chosen, all of a backup’s settings are restored', () => {
  const restored = { ...usual, theme: 'dark' as const, prices: { m: PRICE }, toolsets: ['files'] };
  expect(restoredSettings(usual, restored)).toEqual(restored);
});

test('what was chosen here stays, also single prices, shortcuts, and settings of the editor', () => {
  const here = {
    ...usual,
    theme: 'light' as const,
    systemPrompt: 'Mine.',
    prices: { m: PRICE, mine: PRICE },
    shortcuts: { palette: ['ctrl', 'p'] },
    editor: { ...usual.editor, fontSize: 20 },
  };
  const restored = restoredSettings(here, {
    ...usual,
    theme: 'dark' as const,
    locale: 'zh-CN',
    systemPrompt: 'Theirs.',
    prices: { m: { ...PRICE, input: 9 }, other: PRICE },
    shortcuts: { palette: ['ctrl', 'k'], search: ['ctrl', 'f'] },
    editor: { ...usual.editor, fontSize: 11, wraps: true },
  });
  expect(restored).toMatchObject({ theme: 'light', locale: 'zh-CN', systemPrompt: 'Mine.' });
  expect(restored.prices).toEqual({ m: PRICE, mine: PRICE, other: PRICE });
  expect(restored.shortcuts).toEqual({ palette: ['ctrl', 'p'], search: ['ctrl', 'f'] });
  expect(restored.editor).toEqual({ ...usual.editor, fontSize: 20, wraps: true });
});

test('names such as __proto__ are names like any other', () => {
  const shortcuts = JSON.parse('{"__proto__": ["ctrl", "x"], "constructor": ["ctrl", "y"]}');
  const restored = restoredSettings(usual, { shortcuts });
  expect(Object.entries(restored.shortcuts)).toEqual(Object.entries(shortcuts));
  expect(Object.getPrototypeOf(restored.shortcuts)).toBe(Object.prototype);
});
