import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../catalogue/registry.ts';
import { failure } from '../core/failure.ts';
import type { ToolEffect } from '../core/spec.ts';
import { defineTool } from '../core/tool.ts';
import type { ToolCall, ToolResult } from '../core/tool-call.ts';
import { executeBatch } from './batch.ts';

const toolOf = (effect: ToolEffect) =>
  defineTool({
    name: effect,
    description: 'A tool.',
    toolset: 'files',
    effect,
    inputSchema: z.object({}),
    execute: async () => ({ content: '' }),
  });

const registry = new ToolRegistry([toolOf('read'), toolOf('write'), toolOf('execute')]);

const call = (toolCallId: string, toolName: string): ToolCall => ({
  toolCallId,
  toolName,
  input: {},
  inputState: 'complete',
});

const resultOf = ({ toolCallId, toolName }: ToolCall): ToolResult => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: { content: toolCallId },
});

/** Starts a batch whose calls end when the test says so, and keeps a log of events. */
function start(calls: readonly ToolCall[]) {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const abort = new AbortController();
  const results = executeBatch(calls, {
    host: registry,
    signals: { stop: abort.signal, detach: new AbortController().signal },
    executor: {
      execute(one, { stop }) {
        log.push(`start ${one.toolCallId}`);
        const { promise, resolve } = Promise.withResolvers<ToolResult>();
        ends.set(one.toolCallId, () => resolve(resultOf(one)));
        stop.addEventListener('abort', () => resolve(failure(one, 'aborted', 'Stopped.')));
        if (stop.aborted) resolve(failure(one, 'aborted', 'Stopped.'));
        return promise;
      },
    },
    onResult(result) {
      log.push(`${result.type} ${result.toolCallId}`);
    },
  });
  return { log, results, abort, end: (id: string) => ends.get(id)?.() };
}

describe('the calls of one step', () => {
  test('[R7] that only read run in parallel; the results are in the order of the calls', async () => {
    const { log, results, end } = start([call('a', 'read'), call('b', 'read'), call('c', 'read')]);
    expect(log).toEqual(['start a', 'start b', 'start c']);
    end('c');
    end('a');
    end('b');
    expect((await results).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'c']);
    expect(log.slice(3)).toEqual(['tool-result c', 'tool-result a', 'tool-result b']);
  });

  test.each(['write', 'execute', 'no_such_tool', '__proto__'])(
    '[R7] with a call of %s among them run one after the other, in the order written',
    async (toolName) => {
      const { log, results, end } = start([call('a', 'read'), call('b', toolName), call('c', 'read')]);
      for (const id of ['a', 'b', 'c']) {
        await expect.poll(() => log.at(-1)).toBe(`start ${id}`);
        end(id);
      }
      await results;
      expect(log).toEqual(['start a', 'tool-result a', 'start b', 'tool-result b', 'start c', 'tool-result c']);
    },
  );

  test('[R1] [R10] that are stopped halfway all get a result, including those not started', async () => {
    const { results, abort, end } = start([call('a', 'write'), call('b', 'write'), call('c', 'write')]);
    end('a');
    await Promise.resolve();
    abort.abort();
    expect((await results).map((result) => (result.type === 'tool-error' ? result.code : 'success'))).toEqual([
      'success',
      'aborted',
      'aborted',
    ]);
  });

  test('no calls have no results', async () => {
    await expect(start([]).results).resolves.toEqual([]);
  });
});
