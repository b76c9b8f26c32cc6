import { describe, expect, test } from 'vitest';
import type { Message } from '#lib/messages/message.ts';
import { MemoryThreadStore } from '#lib/threads/memory-thread-store.ts';
import { threadOf } from '#lib/threads/test/store-contract.ts';
import type { PathRule } from '#lib/tools/permission/path-rule.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { callsMatching, PAST_CALLS_MAX, PAST_THREADS_MAX, readPastCalls } from './past-calls.ts';

const call = (toolCallId: string, toolName: string, input: object, files: readonly string[] = []) => ({
  ...({ type: 'tool-call', toolCallId, toolName, input, inputState: 'complete' } as const),
  result: {
    ...({ type: 'tool-result', toolCallId, toolName, output: { content: '' } } as const),
    ...(files.length > 0 && { files: files.map((path) => ({ path, hash: 'h' })) }),
  },
});

const turn = (id: string, ...parts: ReturnType<typeof call>[]): Message => ({
  ...({ id, role: 'assistant', createdAt: 1, status: { type: 'done' } } as const),
  parts,
});

async function read(threads: readonly { id: string; updatedAt: number; turns: readonly Message[] }[]) {
  const store = new MemoryThreadStore();
  const stored = threads.map(({ id, updatedAt }) => threadOf(id, { title: `Title ${id}`, updatedAt }));
  for (const [index, thread] of stored.entries()) {
    await store.putThread(thread);
    for (const message of threads[index]?.turns ?? [])
      await store.putMessages(thread.id, [{ message: message, parentId: null }]);
  }
  return readPastCalls(store, stored, toolRegistry, new AbortController().signal);
}

const rule = (pattern: string, effects: PathRule['effects'] = ['read', 'write']): PathRule => ({
  pattern,
  effects,
  policy: 'deny',
});

describe('the past calls that a rule would have matched', () => {
  test('are those that named a path, in whatever form, or whose results tell of it', async () => {
    const calls = await read([
      {
        id: 'a',
        updatedAt: 1,
        turns: [
          turn(
            'm',
            call('1', 'read_file', { path: 'src/../.env' }),
            call('2', 'read_file', { path: '/README.md' }),
            call('3', 'search_text', { pattern: 'KEY' }, ['/app/.env']),
            call('4', 'execute_bash', { command: 'echo x > .env' }, ['/.env']),
            call('5', 'move_path', { from: '/a', to: '/.env' }),
            call('6', 'gone', { path: '/.env' }),
            call('7', 'read_file', { path: '/../..' }),
            call('8', 'read_file', { wrong: '/.env' }),
          ),
        ],
      },
    ]);
    const matching = (wanted: PathRule) => callsMatching(wanted, calls).map((match) => match.call.toolCallId);
    expect(matching(rule('.env'))).toEqual(['5', '4', '3', '1']);
    expect(matching(rule('.env', ['read']))).toEqual(['3', '1']);
    expect(matching(rule('.env', ['write']))).toEqual(['5', '4']);
    expect(matching(rule('none'))).toEqual([]);
    expect(callsMatching(rule('/app/**'), calls)).toMatchObject([
      { path: '/app/.env', call: { toolName: 'search_text', threadId: 'a', threadTitle: 'Title a' } },
    ]);
  });

  test('come from the newest threads, and are only so many', async () => {
    const one = (id: string) => turn(`m-${id}`, call(`c-${id}`, 'read_file', { path: `/${id}` }));
    const threads = Array.from({ length: PAST_THREADS_MAX + 5 }, (_, index) => ({
      id: String(index),
      updatedAt: index,
      turns: [one(String(index))],
    }));
    const found = await read(threads);
    expect(found).toHaveLength(PAST_THREADS_MAX);
    expect(found[0]?.toolCallId).toBe(`c-${PAST_THREADS_MAX + 4}`);
    const many = Array.from({ length: PAST_CALLS_MAX + 5 }, (_, index) =>
      call(String(index), 'read_file', { path: '/a' }),
    );
    expect(await read([{ id: 'a', updatedAt: 1, turns: [turn('m', ...many)] }])).toHaveLength(PAST_CALLS_MAX);
  });
});
