import { stop } from 'esbuild-wasm';
import { afterAll, expect, test } from 'vitest';
import { PageCompiler } from './page-compiler.ts';

afterAll(() => stop());

test('files in other encodings are read as they are shown', async () => {
  const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
  const files = new Map<string, Uint8Array>([
    [
      '/page.htm',
      utf16(
        '<!DOCTYPE html><link rel="stylesheet" href="a.css"><p>Größe 漢字</p><script type="module" src="a.js"></script>',
      ),
    ],
    ['/a.css', new Uint8Array(Buffer.from('p::after { content: "schön" }', 'latin1'))],
    ['/a.js', utf16('window.text = "Größe 漢字";')],
  ]);
  const outcome = await new PageCompiler().compile('/page.htm', {
    find: async (paths) => paths.find((path) => files.has(path)),
    read: async (path) => files.get(path) ?? { problem: 'none' },
    package: async () => '',
  });
  if (outcome.type === 'failed') throw new Error(JSON.stringify(outcome.problems));
  expect(outcome.page.html).toContain('Größe 漢字');
  expect(JSON.stringify([...outcome.page.styles])).toMatch(/sch(?:ö|\\+f6 ?)n/);
  expect(outcome.page.scripts.find(({ name }) => name === 'modules')?.text).toContain(
    String.raw`Gr\xF6\xDFe \u6F22\u5B57`,
  );
});
