import { describe, expect, test } from 'vitest';
import type { Tool } from '#lib/tools/core/tool.ts';
import { NOTHING_KNOWN } from '#lib/tools/execution/known-files.ts';
import { editFile } from '#lib/tools/files/edit-file.ts';
import { differingInputs } from '#lib/tools/test/differing-inputs.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { fetchUrl } from '#lib/tools/web/fetch-url.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { random as randomOf } from '#lib/vfs/test/random.ts';
import { proposalOf } from '#lib/workspace/review/call-proposal.ts';
import { askAbout } from './question.ts';

test('a question about the web names the host as it is, and what an answer allows', async () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), hasColors: false, columns: 200 };
  const call = {
    toolCallId: 'c',
    toolName: 'fetch_url',
    input: { url: 'https://аpple.com/login' },
    inputState: 'complete' as const,
  };
  const answer = await askAbout(
    { reader: { question: async () => 's' }, output },
    { call, tool: fetchUrl, onlyOnce: false },
    new AbortController().signal,
  );
  expect(answer).toEqual({ type: 'allow', scope: 'session' });
  const shown = written.join('');
  expect(shown).toContain('sends a request to xn--pple-43d.com\n');
  expect(shown).toContain('[s] Allow requests to xn--pple-43d.com in this session');
  expect(shown).toContain('[a] Always allow requests to xn--pple-43d.com in this folder');
});

/** Asks about a call on these files; resolves with what a terminal shows up to the answers, and after `v`. */
async function shown(tool: Tool, input: object, files: Record<string, string> = {}) {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), hasColors: false, columns: 200 };
  const call = { toolCallId: 'c', toolName: tool.name, input, inputState: 'complete' as const };
  const fileSystem = new MemoryFileSystem();
  await fill(fileSystem, files);
  const { signal } = new AbortController();
  const proposal = await proposalOf(call, tool, { files: fileSystem, known: NOTHING_KNOWN, signal });
  const answers = ['v', 'n', ''];
  let asked = '';
  const question = async () => {
    if (asked === '') asked = written.join('');
    return answers.shift();
  };
  await askAbout({ reader: { question }, output }, { call, tool, onlyOnce: false, proposal }, signal);
  return { asked, whole: written.join('') };
}

describe('a question shows all of a call', () => {
  test.each(toolRegistry.list().map((tool) => [tool.name, tool] as const))(
    'differing calls of %s have differing questions',
    async (_, tool) => {
      const random = randomOf(tool.name.length * 7919 + 1);
      let pairs = 0;
      for (let tries = 0; tries < 200; tries++) {
        const pair = differingInputs(tool, random);
        if (pair === undefined) continue;
        pairs++;
        const [one, other] = [await shown(tool, pair.one), await shown(tool, pair.other)];
        expect(one.whole, JSON.stringify(pair)).not.toBe(other.whole);
      }
      const takes = Object.keys((tool.inputSchema as { properties?: object }).properties ?? {});
      if (takes.length > 0) expect(pairs).toBeGreaterThan(0);
    },
  );

  test('of a change, it shows what is written, and arguments that say more', async () => {
    const files = { '/a.txt': 'one\ntwo\none\n' };
    const input = { path: '/a.txt', find: 'one', replace: '1' };
    const all = await shown(editFile, { ...input, replaceAll: true }, files);
    expect(all.asked).toContain('/a.txt changed\n');
    expect(all.asked).toContain('│ -one\n│ +1\n│  two\n│ -one\n│ +1\n');
    expect(all.asked).toContain('│ replaceAll: true\n');
    const ambiguous = await shown(editFile, input, files);
    expect(ambiguous.asked).toContain('If you allow this call, it will fail: "find" occurs 2 times');
    expect(ambiguous.asked).toContain('│ -one\n│ +1\n');
  });

  test('of a deletion, it names every file, with their number', async () => {
    const tool = toolRegistry.get('delete_path');
    if (tool === undefined) throw new Error('no delete_path');
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`/many/${n}.txt`, `${n}\n`]));
    const { asked } = await shown(tool, { path: '/many', recursive: true }, files);
    expect(asked).toContain('│ 300 files change:\n');
    for (const path of Object.keys(files)) expect(asked).toContain(`${path} deleted`);
    expect(asked).toContain('│ recursive: true\n');
  });
});
