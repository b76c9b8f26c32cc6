import { expect, test } from 'vitest';
import * as z from 'zod';
import { ToolRegistry } from '../catalogue/registry.ts';
import type { CallForm, FormAnswer } from '../core/call-form.ts';
import { defineTool, type ToolContext } from '../core/tool.ts';
import type { ToolOutput, ToolResult } from '../core/tool-call.ts';
import { MapLedger } from '../test/map-ledger.ts';
import { createToolExecutor, type ToolExecutorOptions } from './executor.ts';
import { ToolHost } from './host.ts';

const FORM: CallForm = { from: 'weather', message: 'Where?', fields: [] };

/** Runs a call of a tool that does this. `inner`: a tool that it can call. */
function run(
  act: (context: ToolContext) => Promise<ToolOutput>,
  options: Partial<ToolExecutorOptions>,
  inner: (context: ToolContext) => Promise<ToolOutput> = async () => ({ content: '' }),
): Promise<ToolResult> {
  const toolOf = (name: string, execute: typeof act) =>
    defineTool({
      name,
      description: 'Acts.',
      toolset: 'test',
      effect: 'execute',
      inputSchema: z.object({}),
      execute: (_, context) => execute(context as ToolContext),
    });
  const executor = createToolExecutor({
    host: new ToolHost(new ToolRegistry([toolOf('outer', act), toolOf('inner', inner)]), {}),
    ledger: new MapLedger(),
    claimant: 'tab',
    fence: async () => undefined,
    hasCommitted: async () => false,
    decide: () => ({ type: 'allow' }),
    ask: async () => ({ type: 'allow' }),
    ...options,
  });
  const signal = new AbortController().signal;
  return executor.execute(
    { toolCallId: 'call', toolName: 'outer', input: {}, inputState: 'complete' },
    { stop: signal, detach: signal },
  );
}

const said = (answer: FormAnswer | undefined): ToolOutput => ({ content: JSON.stringify(answer) });

test('a call gets what the person says', async () => {
  const asked: unknown[] = [];
  const result = await run(async ({ askForm }) => said(await askForm?.(FORM)), {
    askForm: async ({ toolCallId }, form) => {
      asked.push([toolCallId, form]);
      return { action: 'decline' };
    },
  });
  expect(asked).toEqual([['call', FORM]]);
  expect(result).toMatchObject({ output: { content: '{"action":"decline"}' } });
});

test('where nobody can be asked, a call knows', async () => {
  const result = await run(async ({ askForm }) => ({ content: String(askForm) }), {});
  expect(result).toMatchObject({ output: { content: 'undefined' } });
});

test('a form ends with the call that asks, even if that did not wait for the answer', async () => {
  const withdrawn: string[] = [];
  const askForm: ToolExecutorOptions['askForm'] = ({ toolCallId }, _, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        withdrawn.push(toolCallId);
        reject(signal.reason);
      }),
    );
  const ask = async (context: ToolContext) => {
    context.askForm?.(FORM).catch(() => undefined);
    return { content: 'Done.' };
  };
  await run(
    async (context) => {
      await ask(context);
      await context.callTool('inner', {});
      expect(withdrawn).toEqual(['call/1']);
      return { content: '' };
    },
    { askForm },
    ask,
  );
  expect(withdrawn).toEqual(['call/1', 'call']);
});

test('a call knows while a call within it asks the person', async () => {
  const waits: boolean[] = [];
  const answered = Promise.withResolvers<FormAnswer>();
  const result = await run(
    async ({ callTool }) => {
      const ran = await callTool('inner', {}, (isWaiting) => {
        waits.push(isWaiting);
        if (isWaiting && waits.length === 1) answered.resolve({ action: 'cancel' });
      });
      return { content: ran.type };
    },
    { askForm: () => answered.promise },
    async ({ askForm }) => said(await askForm?.(FORM)),
  );
  expect(result).toMatchObject({ output: { content: 'tool-result' } });
  expect(waits).toEqual([true, false]);
});
