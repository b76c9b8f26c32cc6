import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WORKSPACE_TOOL_LIMITS } from '#lib/sources/workspace-tools/limits.ts';
import type { ToolContext } from '#lib/tools/core/tool.ts';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { OWN_TOOL_ANSWERS_MAX } from '../limits.ts';
import { WorkspaceToolAnswers } from './workspace-tool-answers.ts';
import { type AskAboutWorkspaceTool, WorkspaceTools, type WorkspaceToolsOptions } from './workspace-tools.ts';

const PATH = '/.roundtrip/tools/build.js';
const source = (description: string, body = "'done'") =>
  `export const spec = { description: '${description}' };\nexport const run = () => ${body};\n`;

let place: string;
let files: MemoryFileSystem;
let notices: string[];
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'workspace-tools-'));
  files = new MemoryFileSystem();
  notices = [];
});
afterEach(() => rmSync(place, { recursive: true }));

const write = (text: string | Uint8Array, path = PATH) =>
  files.transaction({ type: 'person' }, async (tx) =>
    tx.writeFile(path, typeof text === 'string' ? new TextEncoder().encode(text) : text),
  );

const answers = () => new WorkspaceToolAnswers(join(place, 'deep/answers.json'));
const open = (more: Partial<WorkspaceToolsOptions> = {}) =>
  new WorkspaceTools({
    files,
    root: '/work',
    canRun: true,
    isTaken: () => false,
    answers: answers(),
    onNotice: (text) => notices.push(text),
    ...more,
  });
const names = (tools: WorkspaceTools) => tools.list().map(({ name }) => name);

/** Answers questions, and notes what was allowed before. */
function person(answer: boolean | undefined) {
  const asked: [string, string | undefined][] = [];
  const ask: AskAboutWorkspaceTool = async ({ tool }, before) => {
    asked.push([tool.source, before]);
    return answer;
  };
  return { ask, asked };
}

describe('a tool of the folder', () => {
  test('is asked about once for each content, in any process and any folder', async () => {
    await write(source('Builds.'));
    const tools = open();
    await tools.load();
    expect(names(tools), 'nothing counts unasked').toEqual([]);
    expect(tools.whyMissing('build')).toContain('The user has not allowed /.roundtrip/tools/build.js as it is now.');
    expect(tools.whyMissing('other')).toBeUndefined();
    const first = person(true);
    await tools.settle(first.ask);
    await tools.settle(first.ask);
    expect(names(tools)).toEqual(['build']);
    expect(first.asked).toEqual([[source('Builds.'), undefined]]);
    const elsewhere = open({ root: '/copy' });
    await elsewhere.settle(first.ask);
    expect(names(elsewhere)).toEqual(['build']);
    expect(first.asked).toHaveLength(1);
  });

  test('is asked about again when its specification or its code changes, with what was allowed before', async () => {
    await write(source('Builds.'));
    await open().settle(person(true).ask);
    for (const changed of [source('Builds it.'), source('Builds.', 'other()'), `${source('Builds.')} `]) {
      await write(changed);
      const tools = open();
      const again = person(undefined);
      await tools.settle(again.ask);
      expect(again.asked).toEqual([[changed, source('Builds.')]]);
      expect(names(tools)).toEqual([]);
    }
    await write(source('Builds.'));
    const tools = open();
    await tools.load();
    expect(names(tools), 'what was allowed stays allowed').toEqual(['build']);
  });

  test('that was refused is not asked about again, until that is forgotten', async () => {
    await write(source('Builds.'));
    await open().settle(person(false).ask);
    const tools = open();
    const again = person(true);
    await tools.settle(again.ask);
    expect([names(tools), again.asked]).toEqual([[], []]);
    const [found] = tools.contents.tools;
    if (found === undefined) throw new Error('There is no tool.');
    tools.forget(found);
    await tools.settle(again.ask);
    expect(names(tools)).toEqual(['build']);
  });

  test('is left out where nobody can be asked, which is said once, with what to do', async () => {
    await write(source('Builds.'));
    const tools = open();
    await tools.settle();
    await tools.settle();
    expect(names(tools)).toEqual([]);
    expect(notices).toEqual([
      'The tool build is left out: you have not allowed it. Look at .roundtrip/tools/build.js, then run “roundtrip tools allow build” in this folder.',
    ]);
    await open().settle(person(true).ask);
    await tools.load();
    expect(names(tools), 'another process has asked').toEqual(['build']);
    await write(source('Builds it.'));
    await tools.settle();
    expect(notices.at(-1)).toContain('its file has changed since you allowed it');
  });

  test('does not run once its file is another, or is no longer allowed, even if nobody has read it again', async () => {
    await write(source('Builds.'));
    const tools = open();
    await tools.settle(person(true).ask);
    const tool = tools.get('build');
    const [found] = tools.contents.tools;
    if (found === undefined || tool === undefined) throw new Error('There is no tool.');
    const ran: string[] = [];
    const context = {
      abortSignal: new AbortController().signal,
      callTool: () => Promise.reject(new Error('no call')),
      sandbox: { evaluate: async (code: string) => ({ console: [], value: void ran.push(code) }) },
    } as unknown as ToolContext;
    await tool.execute({}, context);
    expect(ran).toHaveLength(1);
    await write(source('Builds it.'));
    await expect(tool.execute({}, context)).rejects.toMatchObject({ code: 'denied' });
    await write(source('Builds.'));
    tools.forget(found);
    await expect(tool.execute({}, context)).rejects.toMatchObject({ code: 'denied' });
    expect(ran).toHaveLength(1);
  });

  test('whose answer cannot be kept is allowed for the session', async () => {
    await write(source('Builds.'));
    writeFileSync(join(place, 'file'), '');
    for (const kept of [undefined, new WorkspaceToolAnswers(join(place, 'file/answers.json'))]) {
      const tools = open({ answers: kept });
      await tools.settle(person(true).ask);
      expect(names(tools)).toEqual(['build']);
      expect(notices.pop()).toContain('for this session only');
      const next = open({ answers: kept });
      await next.load();
      expect(names(next)).toEqual([]);
    }
  });

  test('is neither offered nor asked about where code cannot run', async () => {
    await write(source('Builds.'));
    await open().settle(person(true).ask);
    const tools = open({ canRun: false });
    const { ask, asked } = person(true);
    await tools.settle(ask);
    expect(names(tools)).toEqual([]);
    await write(source('Builds it.'));
    await tools.settle(ask);
    expect([names(tools), asked]).toEqual([[], []]);
    expect(notices).toEqual([expect.stringContaining('code cannot be confined here')]);
  });

  test('that comes, changes, or goes is reported; one that stays as it is, is not', async () => {
    const tools = open();
    let changes = 0;
    const leave = tools.subscribe(() => changes++);
    await write(source('Builds.'));
    await tools.settle(person(true).ask);
    await tools.load();
    expect(changes).toBe(1);
    await write(source('Builds it.'));
    await tools.load();
    expect(changes).toBe(2);
    leave();
    await tools.settle(person(true).ask);
    expect(changes).toBe(2);
  });

  test('that cannot be used is named with the reason, once, and the others are offered', async () => {
    await write(source('Builds.'));
    await write('export const run = () => 1;', '/.roundtrip/tools/no_spec.js');
    await write(source('Reads.'), '/.roundtrip/tools/read_file.js');
    await write(' '.repeat(WORKSPACE_TOOL_LIMITS.file + 1), '/.roundtrip/tools/long.js');
    await write(new Uint8Array(WORKSPACE_TOOL_LIMITS.fileBytes + 1), '/.roundtrip/tools/huge.js');
    await write(new Uint8Array([0xff]), '/.roundtrip/tools/binary.js');
    const tools = open({ isTaken: (name) => name === 'read_file' });
    await tools.settle(person(true).ask);
    await tools.load();
    expect(names(tools)).toEqual(['build']);
    expect(notices.sort()).toEqual([
      '.roundtrip/tools/binary.js is not offered. The file is not UTF-8 text.',
      '.roundtrip/tools/huge.js is not offered. The file has 1000001 bytes; the limit is 1000000.',
      '.roundtrip/tools/long.js is not offered. The file has 200001 characters; the limit is 200000.',
      '.roundtrip/tools/no_spec.js is not offered. It has no spec. Write: export const spec = { description: "…", inputSchema: {…} };',
      '.roundtrip/tools/read_file.js is not offered. Another tool has this name. Rename the file.',
    ]);
  });
});

describe('answers', () => {
  const answer = (n: number, text: string) => ({
    folder: '/work',
    path: '/a.js',
    hash: `hash ${n}`,
    isAllowed: true,
    text,
  });

  test('in a file that others have written in another form allow nothing', () => {
    writeFileSync(join(place, 'answers.json'), '{"tools":[{"hash":"x","isAllowed":true}]}');
    expect(new WorkspaceToolAnswers(join(place, 'answers.json')).of('x')).toBeUndefined();
  });

  test('are kept when there is no more room for the contents', () => {
    answers().put(answer(1, 'x'.repeat(3_000_000)));
    expect(answers().before(answer(1, ''))).toHaveLength(3_000_000);
    answers().put(answer(2, 'y'.repeat(3_000_000)));
    expect(answers().of('hash 1')).toBe(true);
    expect(answers().before(answer(2, ''))).toMatch(/^y+$/);
    expect(readFileSync(join(place, 'deep/answers.json'), 'utf8').length).toBeLessThan(4_000_000);
  });

  test('are forgotten from the oldest on', () => {
    const many = Array.from({ length: OWN_TOOL_ANSWERS_MAX }, (_, n) => answer(n, ''));
    writeFileSync(join(place, 'answers.json'), JSON.stringify({ tools: many }));
    const full = new WorkspaceToolAnswers(join(place, 'answers.json'));
    full.put(answer(OWN_TOOL_ANSWERS_MAX, ''));
    expect([0, 1, OWN_TOOL_ANSWERS_MAX].map((n) => full.of(`hash ${n}`))).toEqual([undefined, true, true]);
  });
});
