import { expect, test } from 'vitest';
import { settingsSchema } from './settings.ts';

const DEFAULTS = { fontSize: 13, wraps: false, tabWidth: 2, formatsOnSave: false };

const editorOf = (editor: unknown) => settingsSchema.parse({ editor }).editor;

test.each([undefined, null, 'large', [], {}])('an editor that was stored as %j has the default settings', (stored) => {
  expect(editorOf(stored)).toEqual(DEFAULTS);
});

test('settings from before there were any for the editor are kept', () => {
  const { theme, editor } = settingsSchema.parse({ theme: 'dark' });
  expect({ theme, editor }).toEqual({ theme: 'dark', editor: DEFAULTS });
});

test.each([
  [{ fontSize: 9 }, {}],
  [{ fontSize: 25 }, {}],
  [{ fontSize: 13.5 }, {}],
  [{ fontSize: '20' }, {}],
  [{ tabWidth: 3 }, {}],
  [{ wraps: 'on' }, {}],
  [
    { fontSize: 99, tabWidth: 8, formatsOnSave: true },
    { tabWidth: 8, formatsOnSave: true },
  ],
  [
    { fontSize: 24, wraps: true, minimap: true },
    { fontSize: 24, wraps: true },
  ],
])('of %j, what is valid is used', (stored, used) => {
  expect(editorOf(stored)).toEqual({ ...DEFAULTS, ...used });
});
