import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { innerCallId } from './inner-call.ts';
import type { CallLedger, LedgerEntry } from './ledger.ts';
import type { PermissionDecision } from './permission.ts';
import type { AnyToolDefinition, ToolRegistry } from './registry.ts';
import { inputSignature } from './signature.ts';
import {
  type ToolCall,
  type ToolCapabilities,
  type ToolContext,
  type ToolErrorCode,
  ToolFailure,
  type ToolResult,
} from './tool.ts';

/** Runs calls. `execute` never rejects, and runs a call at most once per `toolCallId`, ever (rules R1 to R5). */
export interface ToolExecutor {
  execute(call: ToolCall, abortSignal: AbortSignal): Promise<ToolResult>;
}

export type PermissionAnswer = { type: 'allow' } | { type: 'deny'; reason: string };

export interface ToolExecutorOptions {
  registry: ToolRegistry;
  capabilities: ToolCapabilities;
  ledger: CallLedger;
  /** Whether the workspace has a commit of this call, whoever made it. */
  hasCommitted(toolCallId: string): Promise<boolean>;
  /** Names this executor in the ledger. A claim of any other claimant counts as dead: its holder has lost the thread. */
  claimant: string;
  decide(call: ToolCall, tool: AnyToolDefinition): PermissionDecision;
  /** Puts the call to the person. Rejects when `abortSignal` fires first. */
  ask(call: ToolCall, tool: AnyToolDefinition, abortSignal: AbortSignal): Promise<PermissionAnswer>;
  /** As in `ToolContext`; nothing where there are no turns. */
  earlierResults?(toolName: string): readonly ToolResult[];
  /** Told when a call starts to run, after its claim is stored. */
  onRun?(call: ToolCall): void;
}

/** Look up, validate, decide, run, finish: each step either goes on or ends the call with a result. */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { ledger, claimant, registry } = options;
  const inFlight = new Map<string, Promise<ToolResult>>();

  async function run(call: ToolCall, abortSignal: AbortSignal): Promise<ToolResult> {
    const entry = await ledger.get(call.toolCallId);
    if (entry?.result !== undefined) return entry.result;
    const prepared = prepare(call, registry);
    if ('result' in prepared) return conclude(call, entry, prepared.result);
    const { tool, input } = prepared;
    const verdict = entry === undefined ? undefined : await judgeDeadClaim(call, tool, options);
    if (verdict !== undefined) return conclude(call, entry, verdict);
    const refused = await decide(call, tool, abortSignal, options);
    if (refused !== undefined) return conclude(call, entry, refused);
    if (!(await claim(call, entry))) return lost(call);
    if (abortSignal.aborted) return finish(call, aborted(call));
    options.onRun?.(call);
    const startedAt = performance.now();
    const result = await runTool(call, tool, input, contextOf(call, abortSignal, options));
    return finish(call, { ...result, durationMs: Math.round(performance.now() - startedAt) });
  }

  const claim = (call: ToolCall, entry: LedgerEntry | undefined): Promise<boolean> =>
    ledger.claim({ toolCallId: call.toolCallId, claimant }, entry?.claimant);

  /** Ends a call that does not run: claimed and finished like any other, so that two tabs never give it two results. */
  async function conclude(call: ToolCall, entry: LedgerEntry | undefined, result: ToolResult): Promise<ToolResult> {
    return (await claim(call, entry)) ? finish(call, result) : lost(call);
  }

  async function finish(call: ToolCall, result: ToolResult): Promise<ToolResult> {
    return (await ledger.finish(result, claimant)) ?? lost(call);
  }

  async function lost(call: ToolCall): Promise<ToolResult> {
    const standing = (await ledger.get(call.toolCallId))?.result;
    return standing ?? failure(call, 'interrupted', 'Another tab took this call over.');
  }

  return {
    execute(call, abortSignal) {
      const running = inFlight.get(call.toolCallId);
      if (running !== undefined) return running;
      const result = run(call, abortSignal)
        .catch((error: unknown) => failure(call, 'failed', describe(error)))
        .finally(() => inFlight.delete(call.toolCallId));
      inFlight.set(call.toolCallId, result);
      return result;
    },
  };
}

type Prepared = { tool: AnyToolDefinition; input: unknown } | { result: ToolResult };

function prepare(call: ToolCall, registry: ToolRegistry): Prepared {
  const tool = registry.get(call.toolName);
  if (tool === undefined) {
    const names = registry.list().map(({ name }) => name);
    const message = `There is no tool "${call.toolName}". The tools are: ${names.join(', ')}.`;
    return { result: failure(call, 'no-such-tool', message) };
  }
  if (call.inputState === 'incomplete') return { result: incompleteResult(call) };
  if (call.inputState === 'invalid') {
    const message = `The arguments of ${tool.name} are not a JSON object, or not a whole one: ${excerpt(call.inputText ?? '')}. Call it again with all of them: ${inputSignature(tool)}.`;
    return { result: failure(call, 'invalid-input', message) };
  }
  const given = tool.inputSchema.safeParse(call.input);
  const parsed = given.success ? given : tool.inputSchema.safeParse(withoutNulls(call.input));
  if (!parsed.success) {
    const message = `The arguments of ${tool.name} do not fit its schema. ${issuesOf(parsed.error)} Call it again with these fields corrected: ${inputSignature(tool)}.`;
    return { result: failure(call, 'invalid-input', message) };
  }
  return { tool, input: parsed.data };
}

/** Arguments without those that are null: many models send what they leave out. */
function withoutNulls(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** Rule R6: says how much arrived and how to go on. */
function incompleteResult(call: ToolCall): ToolResult {
  const length = call.inputText?.length ?? 0;
  const message = `The reply was cut off inside this call after ${length} characters of its arguments, so it was not run. Call it again, with a shorter argument or in several smaller steps.`;
  return failure(call, 'incomplete', message);
}

function issuesOf(error: z.core.$ZodError): string {
  return error.issues.map((issue) => `"${toDotPath(issue.path) || '(arguments)'}": ${issue.message}.`).join(' ');
}

/** Rule R3: undefined when the call may run (again), otherwise the result it gets. */
async function judgeDeadClaim(
  { toolCallId, toolName }: ToolCall,
  tool: AnyToolDefinition,
  { hasCommitted }: ToolExecutorOptions,
): Promise<ToolResult | undefined> {
  if (tool.effect === 'read') return undefined;
  if (tool.effect === 'execute') {
    return failure(
      { toolCallId, toolName },
      'interrupted',
      `${tool.name} was interrupted while it ran. It may have had effects; check before running it again.`,
    );
  }
  // A write is one commit: either all of it is there, or nothing.
  if (!(await hasCommitted(toolCallId))) return undefined;
  const content = 'Success. (The page was closed just after it was done, so the details are lost.)';
  return { type: 'tool-result', toolCallId, toolName, output: { content } };
}

async function decide(
  call: ToolCall,
  tool: AnyToolDefinition,
  abortSignal: AbortSignal,
  options: ToolExecutorOptions,
): Promise<ToolResult | undefined> {
  let decision: PermissionDecision | PermissionAnswer = options.decide(call, tool);
  try {
    abortSignal.throwIfAborted();
    if (decision.type === 'ask') decision = await options.ask(call, tool, abortSignal);
  } catch (error) {
    return abortSignal.aborted ? aborted(call) : failure(call, 'failed', describe(error));
  }
  return decision.type === 'deny' ? failure(call, 'denied', `Not run. ${decision.reason}`) : undefined;
}

async function runTool(
  call: ToolCall,
  tool: AnyToolDefinition,
  input: unknown,
  context: ToolContext,
): Promise<ToolResult> {
  const { toolCallId, toolName } = call;
  try {
    const output = await tool.execute(input, context);
    return { type: 'tool-result', toolCallId, toolName, output };
  } catch (error) {
    if (error instanceof ToolFailure) return failure(call, error.code, error.message);
    return context.abortSignal.aborted ? aborted(call) : failure(call, 'failed', describe(error));
  }
}

/** What a call works with. */
function contextOf(call: ToolCall, abortSignal: AbortSignal, options: ToolExecutorOptions): ToolContext {
  let calls = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const context: ToolContext = {
    ...options.capabilities,
    toolCallId: call.toolCallId,
    abortSignal,
    earlierResults: (toolName) => options.earlierResults?.(toolName) ?? [],
    callTool(toolName, input, onWait) {
      const inner: ToolCall = {
        toolCallId: innerCallId(call.toolCallId, ++calls),
        toolName,
        input,
        inputState: 'complete',
      };
      const result = queue.then(() => runInner(inner, context, { ...options, ask: noticed(options.ask, onWait) }));
      queue = result;
      return result;
    },
  };
  return context;
}

/** A call within another: looked up, validated and decided as any, and then a part of the outer one. Never rejects. */
async function runInner(inner: ToolCall, context: ToolContext, options: ToolExecutorOptions): Promise<ToolResult> {
  const prepared = prepare(inner, options.registry);
  if ('result' in prepared) return prepared.result;
  const { tool, input } = prepared;
  const refused = await decide(inner, tool, context.abortSignal, options);
  return refused ?? runTool(inner, tool, input, context);
}

function noticed(ask: ToolExecutorOptions['ask'], onWait: (isWaiting: boolean) => void = () => undefined): typeof ask {
  return async (...question) => {
    onWait(true);
    try {
      return await ask(...question);
    } finally {
      onWait(false);
    }
  };
}

const aborted = (call: ToolCall): ToolResult => failure(call, 'aborted', 'Stopped by the person before it finished.');

/** A result that says why a call did not succeed. */
export function failure(
  call: Pick<ToolCall, 'toolCallId' | 'toolName'>,
  code: ToolErrorCode,
  message: string,
): ToolResult {
  return { type: 'tool-error', toolCallId: call.toolCallId, toolName: call.toolName, code, message };
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const excerpt = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
