import { expect, test } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { expectCode, fill, readText } from '#lib/vfs/test/contract.ts';
import { type CheckedWorkspace, LanguageServices } from './language-services.ts';

test('under rules, files are checked without what is protected, and apart from those that are open', async () => {
  const fileSystem = new MemoryFileSystem();
  await fill(fileSystem, {
    '/secrets/key.ts': 'export const key = 1;',
    '/app.ts': 'export {};',
    '/link.ts': { link: 'secrets/key.ts' },
    '/loop.ts': { link: 'loop.ts' },
  });
  const checked: CheckedWorkspace[] = [];
  const services = new LanguageServices();
  services.provide(async () => async (workspace) => {
    checked.push(workspace);
    return { diagnostics: [], files: 0, hasMore: false };
  });
  const diagnostics = services.diagnosticsOf(async () => ({ id: 'w', fileSystem }));
  const options = { abortSignal: new AbortController().signal };
  await diagnostics.check('/', options);
  const rules = [{ pattern: '**/secrets/**', effects: ['read' as const], policy: 'deny' as const }];
  await diagnostics.under?.({ rules, approved: [] }).check('/', options);
  const [open, guarded] = checked;
  if (open === undefined || guarded === undefined) throw new Error('Not both were checked.');
  expect(open).toEqual({ id: 'w', fileSystem });
  expect(guarded.id).not.toBe('w');
  expect(await readText(guarded.fileSystem, '/app.ts')).toBe('export {};');
  await expectCode(guarded.fileSystem.readFile('/secrets/key.ts'), 'EACCES');
  // Files that are open in the editor.
  expect(guarded.hides?.('w', '/app.ts')).toBe(false);
  for (const path of ['/secrets/key.ts', '/link.ts', '/loop.ts']) expect(guarded.hides?.('w', path), path).toBe(true);
  expect(guarded.hides?.('other', '/app.ts')).toBe(true);
});
