import { expect, test, vi } from 'vitest';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { openSettings, settingsSchema } from './settings.ts';

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

test('settings that two tabs change at the same time are both kept, and shown in both', async () => {
  const store = new MemoryThreadStore();
  const tabs = [await openSettings(store), await openSettings(store)] as const;
  const pathRules = [{ pattern: '.env*', effects: ['read' as const], policy: 'deny' as const }];
  await Promise.all([tabs[0].change({ pathRules }), tabs[1].change({ theme: 'dark' })]);
  expect(await store.setting('settings')).toMatchObject({ pathRules, theme: 'dark' });
  for (const tab of tabs) await vi.waitFor(() => expect(tab.getState()).toMatchObject({ pathRules, theme: 'dark' }));
});
