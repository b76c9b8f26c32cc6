import { expect, test } from 'vitest';
import { sha256 } from '#lib/base/sha256.ts';
import { catalogueText } from '#lib/tools/catalogue/catalogue.ts';
import { CATALOGUE_LIMITS } from '#lib/tools/core/limits.ts';
import { fragments, toolRegistry } from '#lib/tools/toolsets.ts';
import { Catalogues } from './catalogues.ts';

const TEXT = catalogueText(toolRegistry.list(), fragments);
const NAME = await sha256(TEXT);

test('a catalogue is asked for once, and found by its name from then on', async () => {
  const catalogues = new Catalogues();
  await expect(catalogues.find(NAME)).rejects.toMatchObject({ status: 409, code: 'catalogue-needed', missing: [NAME] });
  await catalogues.add(TEXT);
  const found = await catalogues.find(NAME);
  expect(found.tools.list()).toHaveLength(toolRegistry.list().length);
  expect(await catalogues.find(NAME)).toBe(found);
});

test('a request that names none offers no tools', async () => {
  expect((await new Catalogues().find(undefined)).tools.list()).toEqual([]);
});

test('an invalid catalogue is refused with the reason', async () => {
  const text = JSON.stringify({ tools: [{ name: 'x' }], fragments: [] });
  await expect(new Catalogues().add(text)).rejects.toMatchObject({
    code: 'invalid-catalogue',
    message: expect.stringContaining('description'),
  });
});

test('the least recently used ones go when there are too many, or too long ones', async () => {
  const catalogues = new Catalogues();
  const add = async (description: string) => {
    const [tool] = toolRegistry.list();
    if (tool === undefined) throw new Error('there are no tools');
    const many = Array.from({ length: 80 }, (_, n) => ({ ...tool, name: `t${n}`, aliases: [], description }));
    const text = catalogueText(many, []);
    await catalogues.add(text);
    return sha256(text);
  };
  await catalogues.add(TEXT);
  const long = 'x'.repeat(CATALOGUE_LIMITS.description - 10);
  const first = await add(`${long}0`);
  for (let n = 1; n < 40; n++) {
    await add(`${long}${n}`);
    // Still in use.
    await catalogues.find(NAME);
  }
  await expect(catalogues.find(first)).rejects.toMatchObject({ code: 'catalogue-needed' });
  await expect(catalogues.find(NAME)).resolves.toBeDefined();
});
