import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { innerCallId } from './inner-call.ts';
import { type KnownFile, type KnownFiles, NOTHING_KNOWN } from './known-files.ts';
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

/** What ends a call that runs. */
export interface CallSignals {
  /** The person stops the turn: the call's result says so. */
  stop: AbortSignal;
  /** This page no longer acts for the thread: the call is left as it is, for whoever acts next to judge. */
  detach: AbortSignal;
}

/**
 * Runs calls, each at most once per `toolCallId`, ever (rules R1 to R5). Whatever a tool does, `execute` resolves with a
 * result; it rejects only where the ledger does, or the workspace's log when a dead claim is judged. A result that could
 * not be stored is none yet: executing the call again stores it, and runs nothing.
 */
export interface ToolExecutor {
  execute(call: ToolCall, signals: CallSignals): Promise<ToolResult>;
}

/** `note`: what the person wants the model to know; it goes with the result. */
export type PermissionAnswer = { type: 'allow'; note?: string } | { type: 'deny'; reason: string };

export interface ToolExecutorOptions {
  registry: ToolRegistry;
  capabilities: ToolCapabilities;
  ledger: CallLedger;
  /** Takes a call over from whoever has claimed it before: nothing that they still change counts from now on. */
  fence(toolCallId: string, claimant: string): Promise<void>;
  /** Whether the workspace has a commit of this call, whoever made it. */
  hasCommitted(toolCallId: string): Promise<boolean>;
  /** Names this executor in the ledger. A claim of any other claimant counts as dead: its holder has lost the thread. */
  claimant: string;
  /** Of a call within another, `call` has an id derived from the outer one's. */
  decide(call: ToolCall, tool: AnyToolDefinition): PermissionDecision;
  /** Puts the call to the person. Rejects when `abortSignal` fires first. */
  ask(call: ToolCall, tool: AnyToolDefinition, abortSignal: AbortSignal): Promise<PermissionAnswer>;
  /** What the model knows of the files; nothing where there is no conversation. */
  known?: KnownFiles;
  /** The files as a call has left them that changed any, whoever made it. */
  writtenBy?(toolCallId: string): Promise<KnownFile[]>;
  /** As in `ToolContext`; nothing where there are no turns. */
  earlierResults?(toolName: string): readonly ToolResult[];
  /** Told when a call starts to run, after its claim is stored. */
  onRun?(call: ToolCall): void;
}

/** Look up, validate, decide, run, finish: each step either goes on or ends the call with a result. */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { ledger, claimant, registry } = options;
  const inFlight = new Map<string, Promise<ToolResult>>();
  /** Results that the ledger did not take. */
  const unstored = new Map<string, ToolResult>();

  async function run(call: ToolCall, { stop, detach }: CallSignals): Promise<ToolResult> {
    const known = unstored.get(call.toolCallId);
    if (known !== undefined) return finish(call, known);
    const abortSignal = AbortSignal.any([stop, detach]);
    const entry = await ledger.get(call.toolCallId);
    if (entry?.result !== undefined) return entry.result;
    const prepared = prepare(call, registry);
    if ('result' in prepared) return conclude(call, entry, prepared.result);
    const { tool, input } = prepared;
    const verdict = entry === undefined ? undefined : await takeOver(call, tool, options);
    if (verdict !== undefined) return conclude(call, entry, await withWritten(verdict, tool, options));
    const notes: string[] = [];
    const asking = { ...options, ask: noting(options.ask, notes) };
    const refused = await decide(call, tool, abortSignal, asking);
    if (detach.aborted) return left(call);
    if (refused !== undefined) return conclude(call, entry, refused);
    if (!(await claim(call, entry))) return lost(call);
    if (detach.aborted) return left(call);
    if (stop.aborted) return finish(call, aborted(call));
    options.onRun?.(call);
    const startedAt = performance.now();
    const ran = await runTool(call, tool, input, contextOf(call, abortSignal, asking));
    // Somebody else judges what became of it.
    if (ran === 'fenced-off' || (detach.aborted && ran.type === 'tool-error')) return lost(call);
    const durationMs = Math.round(performance.now() - startedAt);
    const result = withNotes(await withWritten(ran, tool, options), notes);
    return finish(call, { ...result, durationMs });
  }

  const claim = (call: ToolCall, entry: LedgerEntry | undefined): Promise<boolean> =>
    ledger.claim({ toolCallId: call.toolCallId, claimant }, entry?.claimant);

  /** Ends a call that does not run: claimed and finished like any other, so that two tabs never give it two results. */
  async function conclude(call: ToolCall, entry: LedgerEntry | undefined, result: ToolResult): Promise<ToolResult> {
    return (await claim(call, entry)) ? finish(call, result) : lost(call);
  }

  async function finish(call: ToolCall, result: ToolResult): Promise<ToolResult> {
    unstored.set(call.toolCallId, result);
    const standing = await ledger.finish(result, claimant);
    unstored.delete(call.toolCallId);
    return standing ?? lost(call);
  }

  async function lost(call: ToolCall): Promise<ToolResult> {
    return (await ledger.get(call.toolCallId))?.result ?? left(call);
  }

  return {
    execute(call, signals) {
      const running = inFlight.get(call.toolCallId);
      if (running !== undefined) return running;
      const result = run(call, signals).finally(() => inFlight.delete(call.toolCallId));
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

/**
 * Rule R3, of a call that somebody claimed and did not finish: undefined when it may run (again), otherwise the result
 * it gets. Whoever claimed it may only be asleep, so what they still change is fenced off before anything is judged.
 */
async function takeOver(
  { toolCallId, toolName }: ToolCall,
  tool: AnyToolDefinition,
  { claimant, fence, hasCommitted }: ToolExecutorOptions,
): Promise<ToolResult | undefined> {
  if (tool.effect === 'read') return undefined;
  await fence(toolCallId, claimant);
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
  let decision: PermissionDecision | PermissionAnswer;
  try {
    decision = options.decide(call, tool);
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
): Promise<ToolResult | 'fenced-off'> {
  const { toolCallId, toolName } = call;
  try {
    const { files, ...output } = await tool.execute(input, context);
    return { type: 'tool-result', toolCallId, toolName, output, ...(files !== undefined && { files }) };
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'ECANCELED') return 'fenced-off';
    if (error instanceof ToolFailure) return failure(call, error.code, error.message);
    return context.abortSignal.aborted ? aborted(call) : failure(call, 'failed', describe(error));
  }
}

/** A call’s result with the files as it has left them. */
async function withWritten(
  result: ToolResult,
  tool: AnyToolDefinition,
  { writtenBy }: ToolExecutorOptions,
): Promise<ToolResult> {
  if (tool.effect === 'read' || writtenBy === undefined) return result;
  // Where the history cannot be read, the model reads the files again before it replaces them.
  const files = await writtenBy(result.toolCallId).catch(() => []);
  return files.length === 0 ? result : { ...result, files };
}

/** What a call works with. */
function contextOf(call: ToolCall, abortSignal: AbortSignal, options: ToolExecutorOptions): ToolContext {
  const { known = NOTHING_KNOWN } = options;
  /** What the calls within this one have read and written. */
  const own = new Map<string, string>();
  let calls = 0;
  let queue: Promise<unknown> = Promise.resolve();
  const context: ToolContext = {
    ...options.capabilities,
    toolCallId: call.toolCallId,
    author: { type: 'call', toolCallId: call.toolCallId, claimant: options.claimant },
    abortSignal,
    known: { hashOf: (path) => own.get(path) ?? known.hashOf(path), textOf: (...file) => known.textOf(...file) },
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
      return result.then((ran) => {
        for (const { path, hash } of ran.files ?? []) own.set(path, hash);
        return ran;
      });
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
  if (refused !== undefined) return refused;
  const result = await runTool(inner, tool, input, context);
  return result === 'fenced-off' ? left(inner) : result;
}

/** Collects what the person says with an answer: of calls within a call, too, for it is nothing that code should read. */
const noting =
  (ask: ToolExecutorOptions['ask'], notes: string[]): typeof ask =>
  async (...question) => {
    const answer = await ask(...question);
    if (answer.type === 'allow' && answer.note !== undefined) notes.push(answer.note);
    return answer;
  };

function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result;
  const note = `\n\n[Note from the person: ${notes.join(' ')}]`;
  if (result.type === 'tool-error') return { ...result, message: result.message + note };
  return { ...result, output: { ...result.output, content: result.output.content + note } };
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

/** Of a call that somebody else executes now, as far as this page can tell. */
const left = (call: ToolCall): ToolResult => failure(call, 'interrupted', 'Another tab took this call over.');

const aborted = (call: ToolCall): ToolResult => failure(call, 'aborted', 'Stopped by the person before it finished.');

/** A result that says why a call did not succeed. */
export function failure(
  call: Pick<ToolCall, 'toolCallId' | 'toolName'>,
  code: ToolErrorCode,
  message: string,
): ToolResult {
  return { type: 'tool-error', toolCallId: call.toolCallId, toolName: call.toolName, code, message };
}

function describe(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'It threw something that cannot be shown.';
  }
}

const excerpt = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
