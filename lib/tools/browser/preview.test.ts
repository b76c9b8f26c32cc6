import { describe, expect, test } from 'vitest';
import { MemoryStorage } from '#lib/vfs/memory-storage.ts';
import { TreeFileSystem } from '#lib/vfs/tree-file-system.ts';
import type { PagePreview, PreviewReport } from '../capabilities/preview.ts';
import type { ToolContext } from '../core/tool.ts';
import type { ToolResult } from '../core/tool-call.ts';
import { NOTHING_KNOWN } from '../execution/known-files.ts';
import { testCapabilities } from '../test/run-tool.ts';
import { MAX_LINES, previewConsole } from './preview-console.ts';
import { FAILED_OPENS_MAX, previewOpen } from './preview-open.ts';
import { previewSnapshot } from './preview-snapshot.ts';

const RUNS: PreviewReport = {
  entry: '/index.html',
  entries: ['/index.html'],
  status: 'running',
  title: 'T',
  buildMs: 1,
  problems: [],
  console: [],
};
const BROKEN: PreviewReport = {
  ...RUNS,
  problems: [
    { severity: 'error', message: 'Error: x', place: { path: '/a.ts', line: 2, column: 3 } },
    { severity: 'warning', message: 'w' },
  ],
  console: [{ id: 1, text: 'printed' }],
};

function context(preview: Partial<PagePreview>, results: readonly ToolResult[] = []): ToolContext {
  const fileSystem = new TreeFileSystem(new MemoryStorage());
  const capabilities = testCapabilities(fileSystem);
  return {
    ...capabilities,
    preview: { ...capabilities.preview, ...preview },
    toolCallId: 'call',
    author: { type: 'call', toolCallId: 'call' },
    abortSignal: new AbortController().signal,
    known: NOTHING_KNOWN,
    earlierResults: () => results,
    report: () => undefined,
    offered: () => [],
    hasRunBefore: () => true,
    callTool: () => Promise.reject(new Error('no other tool')),
  };
}

describe('preview_open', () => {
  const open = async (report: PreviewReport, results: ToolResult[] = []) => {
    const output = await previewOpen.execute({}, context({ open: async () => report }, results));
    results.push({ type: 'tool-result', toolCallId: 'c', toolName: 'preview_open', output });
    return output.content;
  };

  test('reports a page that runs', async () => {
    expect(await open(RUNS)).toBe('/index.html is running. Title: "T".\nNo errors.\nNo console output.');
  });

  test('reports problems with their positions, and the console', async () => {
    expect(await open(BROKEN)).toBe(
      `/index.html is running. Title: "T".\nErrors:\n/a.ts:2:3 Error: x\nWarnings:\nw\nConsole:\nprinted\n[Attempt 1 of ${FAILED_OPENS_MAX}. Fix this and call preview_open again.]`,
    );
  });

  test('reports a page that could not be built, and a missing page', async () => {
    expect(await open({ ...BROKEN, status: 'failed' })).toContain('/index.html could not be built');
    expect(await open({ ...BROKEN, status: 'failed', entry: undefined })).toContain('There is no page.');
  });

  test('counts failures until the page runs, and then refuses', async () => {
    const results: ToolResult[] = [];
    await open(BROKEN, results);
    expect(await open(BROKEN, results)).toContain(`[Attempt 2 of ${FAILED_OPENS_MAX}.`);
    await open(RUNS, results);
    for (let round = 1; round < FAILED_OPENS_MAX; round++) await open(BROKEN, results);
    expect(await open(BROKEN, results)).toContain('This was the last attempt. Tell the user what fails.]');
    await expect(open(BROKEN, results)).rejects.toMatchObject({ code: 'denied' });
    results.push({ type: 'tool-error', toolCallId: 'c', toolName: 'preview_open', code: 'denied', message: '' });
    await expect(open(RUNS, results)).rejects.toMatchObject({ code: 'denied' });
  });

  test('limits the size of its result', async () => {
    const console = Array.from({ length: 1_000 }, (_, id) => ({ id, text: 'x'.repeat(5_000) }));
    expect((await open({ ...RUNS, console })).length).toBeLessThan(60_000);
  });
});

test('preview_snapshot passes on its selector', async () => {
  const outline = async (selector: string | undefined) => `outline of ${selector}`;
  expect((await previewSnapshot.execute({ selector: 'main' }, context({ outline }))).content).toBe('outline of main');
});

test('preview_console numbers its lines and returns only the newest ones', async () => {
  const lines = Array.from({ length: MAX_LINES + 2 }, (_, index) => ({ id: index + 1, text: `line ${index + 1}` }));
  const given = context({ console: async (since) => lines.filter(({ id }) => id > since) });
  expect((await previewConsole.execute({ since: MAX_LINES }, given)).content).toBe(
    `${MAX_LINES + 1} line ${MAX_LINES + 1}\n${MAX_LINES + 2} line ${MAX_LINES + 2}`,
  );
  expect((await previewConsole.execute({ since: 0 }, given)).content).toMatch(
    /^\[Not shown: 2 earlier lines\.\]\n3 line 3/,
  );
  expect((await previewConsole.execute({ since: 999 }, given)).content).toBe('No console output.');
});
