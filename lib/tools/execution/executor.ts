import { defined } from '#lib/base/defined.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { HostCapabilities, ToolCapabilities } from '../capabilities/capabilities.ts';
import type { CallForm, FormAnswer } from '../core/call-form.ts';
import { failure } from '../core/failure.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { type CallProgress, type ToolCall, ToolFailure, type ToolOutput, type ToolResult } from '../core/tool-call.ts';
import type { EgressDecision, EgressRecord } from '../egress/egress.ts';
import { reachedHosts } from '../egress/reached-hosts.ts';
import type { PathRule, PathVerdict, ProtectedPaths } from '../permission/path-rule.ts';
import { judgeCall } from '../permission/path-rules.ts';
import type { PermissionDecision } from '../permission/permission.ts';
import {
  type CallOutcome,
  type Ended,
  interrupted,
  type NotRun,
  notRun,
  stoppedFirst,
  stoppedMidway,
  TAKEN_OVER,
  type TakenOver,
  takenOverResult,
  toolChanged,
  toolRemoved,
} from './call-outcome.ts';
import { entriesNear } from './entries-near.ts';
import { guardCapabilities } from './guarded-capabilities.ts';
import type { ToolHost } from './host.ts';
import { innerCallId } from './inner-call.ts';
import { NOTHING_KNOWN } from './known-files.ts';
import type { CallLedger, LedgerEntry } from './ledger.ts';
import { prepareCall } from './prepare-call.ts';
import { resolveDelegatedCall } from './resolve-delegated-call.ts';
import { type ChangedFiles, withAdjusted, withNotes, withWritten } from './result-notes.ts';
import { type ReviewedChanges, writeReviewed } from './reviewed-changes.ts';

/** The signals that end a running call. */
export interface CallSignals {
  /** Fires when the user stops the turn: the call's result says so. */
  stop: AbortSignal;
  /** Fires when this tab has lost the thread: an unfinished call gets no result here; the tab that takes over decides. */
  detach: AbortSignal;
}

/**
 * Runs calls, each at most once per `toolCallId`, ever (rules R1 to R5): one that was interrupted runs again only if it changed
 * nothing. `execute` resolves with a result, whatever a tool does. It rejects only if the ledger fails, or if the workspace's
 * history fails after another executor's claim on the call. A result that could not be stored does not count yet: executing the
 * call again stores it without running anything.
 */
export interface ToolExecutor {
  execute(call: ToolCall, signals: CallSignals): Promise<ToolResult>;
}

/**
 * The answer of the user or the host to the question whether a call may run. `note`: a message from the user to the model,
 * added to the result. `reviewed`: what is written in place of what the call would have written; not for inner calls.
 * `unasked`: the host has decided without asking anyone.
 */
export type PermissionAnswer =
  | { type: 'allow'; note?: string; reviewed?: ReviewedChanges; unasked?: true }
  | { type: 'deny'; reason: string; unasked?: true };

/**
 * The functions and data that an executor needs from the place where it runs calls. None of the functions may throw an error
 * that the model has caused: such an error has to become a result.
 */
export interface ToolExecutorOptions extends ChangedFiles {
  /** The tools, and the capabilities that they use. */
  host: ToolHost;
  ledger: CallLedger;
  /** Takes a call over from its previous claimant: from now on, changes by that claimant are rejected. */
  fence(toolCallId: string, previous: string): Promise<void>;
  /** Checks whether the workspace has a commit by this call, from any claimant. */
  hasCommitted(toolCallId: string): Promise<boolean>;
  /** Identifies this executor in the ledger. A claim by any other claimant counts as dead: its holder has lost the thread. */
  claimant: string;
  /**
   * Decides whether a call may run. An inner call has an id derived from the outer call's id. `paths`: the verdict of the rules
   * about paths; undefined if they say nothing. If it is `ask` and the call may run, the call may access the paths in it.
   */
  decide(call: ToolCall, tool: Tool, paths: PathVerdict | undefined): PermissionDecision;
  /** Asks the user about the call. Rejects if `abortSignal` fires first. `paths`: as for `decide`. */
  ask(call: ToolCall, tool: Tool, abortSignal: AbortSignal, paths: PathVerdict | undefined): Promise<PermissionAnswer>;
  /** Asks the person what a running call wants to know; absent where nobody can be asked. Rejects as `ask` does. */
  askForm?(call: ToolCall, form: CallForm, abortSignal: AbortSignal): Promise<FormAnswer>;
  /** The user's rules about paths, as they are now; none if absent. */
  pathRules?(): readonly PathRule[];
  /** Checks whether a toolset is on; all are if absent. */
  isOn?(toolset: string): boolean;
  /** The results of a tool's earlier calls in this turn, oldest first; none if absent. */
  earlierResults?(toolName: string): readonly ToolResult[];
  /** Checks whether a tool was called before in the conversation; taken as true if absent. */
  hasRunBefore?(toolName: string): boolean;
  /** Called when a call starts to run, after its claim is stored. */
  onRun?(call: ToolCall): void;
  /** The record of the calls that may send requests, with the reason, and of those that may not. */
  egress?: EgressRecord;
  /** Called when a running call reports progress; that of an inner call is reported with the outer call's id. */
  onProgress?(toolCallId: string, progress: CallProgress): void;
}

/**
 * Makes an executor. For each call, it looks up the tool, validates the arguments, decides about permission or asks, runs the
 * tool, and stores the result. Each of these stages continues, or ends the call with a result.
 */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { ledger, claimant, host } = options;
  const inFlight = new Map<string, Promise<ToolResult>>();
  /** Results that are not in the ledger yet, by call id. Executing such a call again only stores its result. */
  const unstored = new Map<string, ToolResult>();

  async function run(call: ToolCall, signals: CallSignals): Promise<ToolResult> {
    const known = unstored.get(call.toolCallId);
    if (known !== undefined) return finish(call, known);
    const entry = await ledger.get(call.toolCallId);
    if (entry?.result !== undefined) return entry.result;
    const outcome = await attempt(call, entry, signals);
    switch (outcome.type) {
      case 'ran':
      case 'stopped':
        return finish(call, outcome.result);
      case 'not-run':
        // It is claimed and finished like any other, so that two tabs never give it two results.
        return (await claim(call, entry)) ? finish(call, outcome.result) : resultOfOtherTab(call);
      case 'taken-over':
        return resultOfOtherTab(call);
    }
  }

  /** Runs a call without a result, or says why it does not run. Stores only its claim. `entry`: its earlier claim, if any. */
  async function attempt(
    call: ToolCall,
    entry: LedgerEntry | undefined,
    { stop, detach }: CallSignals,
  ): Promise<CallOutcome> {
    const abortSignal = AbortSignal.any([stop, detach]);
    const prepared = prepareCall(call, host);
    if (prepared.type === 'not-run') {
      const { result } = prepared;
      const isGone = entry !== undefined && result.type === 'tool-error' && result.code === 'no-such-tool';
      return isGone ? notRun(toolRemoved(result)) : prepared;
    }
    const { tool, input, adjusted } = prepared;
    if (detach.aborted) return TAKEN_OVER;
    const settled = entry && (await settleEarlierRun(call, tool, entry.claimant, options));
    if (settled !== undefined) return notRun(await withWritten(settled, tool, options));
    const notes: string[] = [];
    const asking = { ...options, ask: noting(options.ask, notes) };
    const decision = await decide(call, tool, abortSignal, asking);
    if (detach.aborted) return TAKEN_OVER;
    if (decision.type === 'not-run') return decision;
    if (host.get(call.toolName) !== tool) return notRun(toolChanged(call));
    if (!(await claim(call, entry)) || detach.aborted) return TAKEN_OVER;
    if (stop.aborted) return { type: 'stopped', result: stoppedFirst(call) };
    options.onRun?.(call);
    const startedAt = performance.now();
    const { reviewed, approved } = decision;
    const context = contextOf(call, abortSignal, { ...asking, approved });
    const work = (own: ToolContext) =>
      reviewed === undefined ? tool.execute(input, own) : writeReviewed(reviewed, own);
    const ran = await runTool(call, work, context, options);
    // The new claimant determines the outcome.
    if (ran.type === 'taken-over' || (detach.aborted && ran.result.type === 'tool-error')) return TAKEN_OVER;
    const durationMs = Math.round(performance.now() - startedAt);
    const result = withNotes(withAdjusted(await withWritten(ran.result, tool, options), adjusted), notes);
    return { type: 'ran', result: { ...result, durationMs } };
  }

  const claim = (call: ToolCall, entry: LedgerEntry | undefined): Promise<boolean> =>
    ledger.claim({ toolCallId: call.toolCallId, claimant }, entry?.claimant);

  async function finish(call: ToolCall, result: ToolResult): Promise<ToolResult> {
    unstored.set(call.toolCallId, result);
    const standing = await ledger.finish(result, claimant);
    unstored.delete(call.toolCallId);
    return standing ?? resultOfOtherTab(call);
  }

  async function resultOfOtherTab(call: ToolCall): Promise<ToolResult> {
    return (await ledger.get(call.toolCallId))?.result ?? takenOverResult(call);
  }

  return {
    execute(call, signals) {
      const running = inFlight.get(call.toolCallId);
      if (running !== undefined) return running;
      const meant = resolveDelegatedCall(call, (name) => host.get(name));
      const result = run(meant, signals).finally(() => inFlight.delete(call.toolCallId));
      inFlight.set(call.toolCallId, result);
      return result;
    },
  };
}

/**
 * Decides about a call that was claimed and not finished (rule R3): undefined if it may run (again), otherwise its result. The
 * previous claimant may only be asleep, so its changes are fenced off before the outcome is determined.
 */
async function settleEarlierRun(
  call: ToolCall,
  tool: Tool,
  previous: string,
  { claimant, fence, hasCommitted }: ToolExecutorOptions,
): Promise<ToolResult | undefined> {
  if (tool.effect === 'read') return undefined;
  // Only the previous claimant is refused, so that a fence that comes late refuses nobody who has taken over since.
  const { toolCallId, toolName } = call;
  if (previous !== claimant) await fence(toolCallId, previous);
  // Only what a tool writes to the workspace leaves a commit there.
  if (tool.effect === 'execute' || !tool.needs.includes('files')) return interrupted(call);
  // A write is a single commit: either all of it was applied, or nothing.
  if (!(await hasCommitted(toolCallId))) return undefined;
  const content = 'Success. (The page was closed right after the call finished, so the details are lost.)';
  return { type: 'tool-result', toolCallId, toolName, output: { content } };
}

/** A call that may run. `reviewed`: what to write instead. `approved`: paths that rules ask about, and that it may access. */
interface Allowed {
  type: 'allowed';
  reviewed: ReviewedChanges | undefined;
  approved: ProtectedPaths['approved'];
}

/** Decides whether a call may run, or asks the person. Never rejects. */
async function decide(
  call: ToolCall,
  tool: Tool,
  abortSignal: AbortSignal,
  options: ToolExecutorOptions,
): Promise<Allowed | NotRun> {
  try {
    const paths = judged(call, tool, options);
    const approved = paths?.type === 'ask' ? paths.found : [];
    const decision = options.decide(call, tool, paths);
    abortSignal.throwIfAborted();
    const answer: PermissionAnswer =
      decision.type === 'ask' ? await options.ask(call, tool, abortSignal, paths) : decision;
    if (answer.type === 'deny') {
      const hosts = [...new Set([...reachedHosts(tool, call.input), ...(tool.sendsTo ?? [])])];
      // A person's message to the model must not be recorded.
      const isOwn = decision.type === 'deny' || answer.unasked === true;
      const reason = isOwn ? answer.reason : 'The user did not allow it.';
      if (hosts.length > 0) options.egress?.denied(call, hosts, reason);
      return notRun(failure(call, 'denied', `Not run. ${answer.reason}`));
    }
    options.egress?.allowed(call, decision.type === 'ask' && answer.unasked !== true ? 'asked' : byOf(decision));
    return { type: 'allowed', reviewed: answer.reviewed, approved };
  } catch (error) {
    return notRun(abortSignal.aborted ? stoppedFirst(call) : failure(call, 'failed', describe(error)));
  }
}

const byOf = (decision: PermissionDecision): EgressDecision =>
  decision.type === 'allow' ? (decision.by ?? 'policy') : 'policy';

/** Applies the user's rules about paths to a call; undefined if they say nothing about it, or if the host has no files. */
function judged(call: ToolCall, tool: Tool, { host, pathRules }: ToolExecutorOptions): PathVerdict | undefined {
  const { files } = host.capabilities;
  return files === undefined ? undefined : judgeCall(tool, call.input, files, pathRules?.() ?? []);
}

/** Runs a call, and turns any error into a result, or into `TAKEN_OVER` if its changes are refused. Closes open forms. */
async function runTool(
  call: ToolCall,
  work: (context: ToolContext) => Promise<ToolOutput>,
  context: ToolContext,
  { askForm }: Pick<ToolExecutorOptions, 'askForm'>,
): Promise<Ended | TakenOver> {
  const ended = (result: ToolResult): Ended => ({ type: 'ran', result });
  const { toolCallId, toolName } = call;
  const over = new AbortController();
  const signal = AbortSignal.any([context.abortSignal, over.signal]);
  const asking = askForm && { askForm: (form: CallForm) => askForm(call, form, signal) };
  try {
    const { files, ...output } = await work({ ...context, ...asking });
    return ended({ type: 'tool-result', toolCallId, toolName, output, ...defined({ files }) });
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'ECANCELED') return TAKEN_OVER;
    if (error instanceof ToolFailure) {
      const { code, message, files } = error;
      return ended({ ...failure(call, code, message), ...(files.length > 0 && { files: [...files] }) });
    }
    if (context.abortSignal.aborted) return ended(stoppedMidway(call));
    return ended(failure(call, 'failed', describe(error) + (await hintOf(error, context))));
  } finally {
    over.abort();
  }
}

/** Returns a hint for the model that follows the error of a missing file: what is there instead. Empty for any other error. */
async function hintOf(error: unknown, { files }: ToolContext): Promise<string> {
  if (!(error instanceof FileSystemError) || error.code !== 'ENOENT') return '';
  return entriesNear(files, error.path).then(
    (near) => `. ${near}`,
    () => '',
  );
}

interface ContextOptions extends ToolExecutorOptions {
  /** The paths that the rules ask about, and that this call may access. */
  approved: ProtectedPaths['approved'];
}

/** The host's capabilities for one call, limited by the user's current rules about paths. */
const capabilitiesFor = ({ host, pathRules, approved }: ContextOptions): HostCapabilities & ToolCapabilities =>
  // A host offers only tools whose needs it meets.
  guardCapabilities(host.capabilities, { rules: pathRules?.() ?? [], approved }) as ToolCapabilities;

/** The context that a call runs in. */
function contextOf(call: ToolCall, abortSignal: AbortSignal, options: ContextOptions): ToolContext {
  const { known = NOTHING_KNOWN } = options;
  /** Hashes of the files that inner calls have read and written, by path. */
  const own = new Map<string, string>();
  let calls = 0;
  const queue = new SerialQueue();
  const context: ToolContext = {
    ...capabilitiesFor(options),
    toolCallId: call.toolCallId,
    author: { type: 'call', toolCallId: call.toolCallId, claimant: options.claimant },
    abortSignal,
    known: {
      hashOf: (path) => own.get(path) ?? known.hashOf(path),
      hasSeen: (hash) => known.hasSeen(hash),
      textOf: (...file) => known.textOf(...file),
    },
    report: (progress) => options.onProgress?.(call.toolCallId, progress),
    offered: () => options.host.list().filter(({ toolset }) => options.isOn?.(toolset) ?? true),
    earlierResults: (toolName) => options.earlierResults?.(toolName) ?? [],
    hasRunBefore: (toolName) => options.hasRunBefore?.(toolName) ?? true,
    callTool(toolName, input, onWait) {
      const inner: ToolCall = {
        toolCallId: innerCallId(call.toolCallId, ++calls),
        toolName,
        input,
        inputState: 'complete',
      };
      const { ask, askForm } = options;
      const noticing = { ask: noticed(ask, onWait), ...(askForm && { askForm: noticed(askForm, onWait) }) };
      const result = queue.run(() => runInner(inner, context, { ...options, ...noticing }));
      return result.then((ran) => {
        // Code that reads a file knows it. Code that is refused does not, whatever the refusal shows.
        if (ran.type === 'tool-result') for (const { path, hash } of ran.files ?? []) own.set(path, hash);
        return ran;
      });
    },
  };
  return context;
}

/** Runs an inner call: looked up, validated and decided like any other, then part of the outer call. Never rejects. */
async function runInner(made: ToolCall, context: ToolContext, options: ToolExecutorOptions): Promise<ToolResult> {
  const inner = resolveDelegatedCall(made, (name) => options.host.get(name));
  const prepared = prepareCall(inner, options.host);
  if (prepared.type === 'not-run') return prepared.result;
  const { tool, input } = prepared;
  const decision = await decide(inner, tool, context.abortSignal, options);
  if (decision.type === 'not-run') return decision.result;
  if (options.host.get(inner.toolName) !== tool) return toolChanged(inner);
  const { approved } = decision;
  const own = { ...context, ...capabilitiesFor({ ...options, approved }), toolCallId: inner.toolCallId };
  const ran = await runTool(inner, (asking) => tool.execute(input, asking), own, options);
  return ran.type === 'taken-over' ? takenOverResult(inner) : ran.result;
}

/** Wraps `ask` so that the user's notes go to `notes`, for the model. Notes for inner calls do, too: code must not get them. */
const noting =
  (ask: ToolExecutorOptions['ask'], notes: string[]): typeof ask =>
  async (...question) => {
    const answer = await ask(...question);
    if (answer.type === 'allow' && answer.note !== undefined) notes.push(answer.note);
    return answer;
  };

/** Wraps `ask` so that it calls `onWait` with true before the person is asked, and with false afterwards. */
function noticed<Question extends unknown[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
  onWait: (isWaiting: boolean) => void = () => undefined,
): typeof ask {
  return async (...question) => {
    onWait(true);
    try {
      return await ask(...question);
    } finally {
      onWait(false);
    }
  };
}

function describe(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'The tool threw an error that cannot be displayed.';
  }
}
