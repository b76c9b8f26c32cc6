import { beforeEach, describe, expect, test } from 'vitest';
import type { McpDefinition } from '#lib/sources/mcp/definition.ts';
import { mcpTool } from '#lib/sources/mcp/mcp-tool.ts';
import { externalTool } from '#lib/tools/catalogue/external-tool.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { useTool } from '#lib/tools/tool-search/use-tool.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { type Answer, type PermissionOptions, Permissions, type Question, type ToolTrust } from './permissions.ts';

const definition: McpDefinition = {
  name: 'act',
  description: 'Acts.',
  inputSchema: { type: 'object' },
  isDestructive: false,
  hash: 'one',
};
const toolOf = (change: Partial<McpDefinition> = {}): Tool =>
  mcpTool('far', { ...definition, ...change }, async () => ({ type: 'output', content: [] }));

let next = 0;
const callOf = (tool: Tool, more: Partial<ToolCall> = {}): ToolCall => ({
  toolCallId: `call-${++next}`,
  toolName: tool.name,
  input: {},
  inputState: 'complete',
  ...more,
});
const origin = { kind: 'file', path: '/notes.md' } as unknown as NonNullable<ToolCall['origin']>;
const signal = new AbortController().signal;

/** The description that was allowed last; undefined if none was. */
let allowed: McpDefinition | undefined;
const trust: ToolTrust = {
  isKnown: ({ metadata }) => allowed !== undefined && allowed.hash === metadata?.definition,
  changeOf: ({ metadata }) =>
    allowed?.hash === metadata?.definition
      ? undefined
      : { before: allowed, now: { ...definition, hash: String(metadata?.definition) } },
  remember({ metadata }) {
    allowed = { ...definition, hash: String(metadata?.definition) };
    return true;
  },
};

const permissions = (more: Partial<PermissionOptions> = {}) =>
  new Permissions({ config: DEFAULT_CONFIG, isYes: false, trust, ...more });

beforeEach(() => {
  allowed = undefined;
});

describe('a tool of a server', () => {
  test('is asked about, whatever the configuration of the folder allows; a denial holds', () => {
    const allowing = {
      ...DEFAULT_CONFIG,
      permissions: { read: 'allow', write: 'allow', execute: 'allow' },
    } as const;
    expect(permissions({ config: allowing }).decide(callOf(toolOf()), toolOf())).toEqual({ type: 'ask' });
    const denying = { ...allowing, permissions: { ...allowing.permissions, execute: 'deny' } } as const;
    allowed = definition;
    expect(permissions({ config: denying }).decide(callOf(toolOf()), toolOf())).toMatchObject({ type: 'deny' });
  });

  test('that is allowed for the session, or for good, is allowed only as it is', async () => {
    for (const scope of ['session', 'always'] as const) {
      allowed = undefined;
      const rules = permissions({ ask: async () => ({ type: 'allow', scope }) });
      await rules.ask(callOf(toolOf()), toolOf(), signal);
      const by = scope === 'session' ? 'thread' : 'always';
      expect(rules.decide(callOf(toolOf()), toolOf())).toEqual({ type: 'allow', by });
      const changed = toolOf({ hash: 'two' });
      expect(rules.decide(callOf(changed), changed)).toEqual({ type: 'ask' });
    }
    expect(allowed?.hash).toBe('one');
  });

  test('that is allowed once is asked about again', async () => {
    const rules = permissions({ ask: async () => ({ type: 'allow', scope: 'once' }) });
    const call = callOf(toolOf());
    await rules.ask(call, toolOf(), signal);
    expect(rules.decide(call, toolOf())).toEqual({ type: 'allow', by: 'asked' });
    rules.settled(call.toolCallId);
    expect(rules.decide(callOf(toolOf()), toolOf())).toEqual({ type: 'ask' });
    expect(allowed).toBeUndefined();
  });

  test('whose effects cannot be undone is asked about each time', async () => {
    allowed = definition;
    const tool = toolOf({ isDestructive: true });
    const questions: Question[] = [];
    const ask = async (_: ToolCall, __: Tool, question: Question): Promise<Answer> => {
      questions.push(question);
      return { type: 'allow', scope: 'always' };
    };
    const rules = permissions({ ask });
    expect(rules.decide(callOf(tool), tool)).toEqual({ type: 'ask', onlyOnce: true });
    await rules.ask(callOf(tool), tool, signal);
    expect(questions).toMatchObject([{ onlyOnce: true }]);
    expect(rules.decide(callOf(tool), tool)).toEqual({ type: 'ask', onlyOnce: true });
  });

  test('that a call from elsewhere names is asked about, also if it is allowed', () => {
    allowed = definition;
    const call = callOf(toolOf(), { origin });
    expect(permissions().decide(call, toolOf())).toEqual({ type: 'ask', onlyOnce: true });
  });

  test('is not allowed with the call that makes it, such as code', async () => {
    const rules = permissions({ ask: async () => ({ type: 'allow', scope: 'once' }) });
    const outer = callOf(useTool);
    expect(rules.decide(outer, useTool)).toEqual({ type: 'allow' });
    await rules.ask(outer, useTool, signal);
    const inner = callOf(toolOf(), { toolCallId: `${outer.toolCallId}/1` });
    expect(rules.decide(inner, toolOf())).toEqual({ type: 'ask' });
  });

  test('is not called by code without a question if the text of the code comes from elsewhere', () => {
    expect(permissions().decide(callOf(useTool, { origin }), useTool)).toEqual({ type: 'ask', onlyOnce: true });
  });

  test('where nobody can be asked, is denied with what to do, unless everything is allowed and it has not changed', async () => {
    const ask = (more: Partial<PermissionOptions>, tool = toolOf()) =>
      permissions(more).ask(callOf(tool), tool, signal);
    expect(await ask({})).toMatchObject({
      type: 'deny',
      reason: expect.stringContaining('“roundtrip tools allow far_act”'),
    });
    expect(await ask({}, toolOf({ isDestructive: true }))).toMatchObject({
      reason: expect.stringContaining('each time'),
    });
    expect(await ask({ isYes: true })).toEqual({ type: 'allow', unasked: true });
    allowed = { ...definition, hash: 'zero' };
    for (const isYes of [false, true])
      expect(await ask({ isYes })).toMatchObject({
        type: 'deny',
        reason: expect.stringContaining('differently than when it was allowed'),
      });
  });
});

describe.each([
  ['an HTTP API', 'rest-far'],
  ['the folder', 'project'],
])('a tool of %s', (_, toolset) => {
  const made = (effect: 'read' | 'execute') =>
    externalTool({
      name: 'far_act',
      toolset,
      effect,
      inputSchema: { type: 'object' },
      metadata: { definition: 'one' },
      execute: async () => ({ content: '' }),
    });
  const policies = (policy: 'allow' | 'ask' | 'deny') => ({
    config: { ...DEFAULT_CONFIG, permissions: { read: policy, write: policy, execute: policy } },
  });

  test('that has effects is allowed by the person only, whatever the configuration of the folder allows', async () => {
    const tool = made('execute');
    expect(permissions(policies('allow')).decide(callOf(tool), tool)).toEqual({ type: 'ask' });
    const rules = permissions({ ask: async () => ({ type: 'allow', scope: 'always' }) });
    await rules.ask(callOf(tool), tool, signal);
    expect(permissions().decide(callOf(tool), tool)).toEqual({ type: 'allow', by: 'always' });
    expect(permissions(policies('deny')).decide(callOf(tool), tool)).toMatchObject({ type: 'deny' });
  });

  test('that only reads follows the configuration', () => {
    const tool = made('read');
    for (const policy of ['allow', 'ask', 'deny'] as const)
      expect(permissions(policies(policy)).decide(callOf(tool), tool).type).toBe(policy);
  });

  test('where nobody can be asked, is denied with what to do', async () => {
    const tool = made('execute');
    const answer = await permissions(policies('allow')).ask(callOf(tool), tool, signal);
    expect(answer).toMatchObject({ reason: expect.stringContaining('with “roundtrip tools allow far_act”, or with') });
  });
});
