import { SerialQueue } from '#lib/base/serial-queue.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { ToolCapabilities } from '../capabilities/capabilities.ts';
import type { CallForm, FormAnswer } from '../core/call-form.ts';
import { failure } from '../core/failure.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { type CallProgress, type ToolCall, ToolFailure, type ToolOutput, type ToolResult } from '../core/tool-call.ts';
import type { EgressDecision, EgressRecord } from '../egress/egress.ts';
import { reachedHosts } from '../egress/reached-hosts.ts';
import type { PathRule, PathVerdict, ProtectedPaths } from '../permission/path-rule.ts';
import { judgeCall } from '../permission/path-rules.ts';
import type { PermissionDecision } from '../permission/permission.ts';
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
  /** The user stops the turn: the call's result says so. */
  stop: AbortSignal;
  /** This tab has lost the thread: an unfinished call gets no result here, and the tab that takes over decides about it. */
  detach: AbortSignal;
}

/**
 * Runs calls, each at most once per `toolCallId`, ever (rules R1 to R5). Whatever a tool does, `execute` resolves with
 * a result. It rejects only if the ledger fails, or if the workspace's log fails while the claim of a dead executor is being
 * resolved. A result that could not be stored does not count yet: executing the call again stores it without running anything.
 */
export interface ToolExecutor {
  execute(call: ToolCall, signals: CallSignals): Promise<ToolResult>;
}

/**
 * `note`: a message from the user to the model, added to the result. `reviewed`: what is written in place of what the call
 * would have written; not for inner calls. `unasked`: the host has decided without asking anyone.
 */
export type PermissionAnswer =
  | { type: 'allow'; note?: string; reviewed?: ReviewedChanges; unasked?: true }
  | { type: 'deny'; reason: string; unasked?: true };

/**
 * The functions and data that an executor needs from the place where it runs calls. None of the functions may throw an
 * error that the model has caused: that is a result.
 */
export interface ToolExecutorOptions extends ChangedFiles {
  /** The tools, and the capabilities that they use. */
  host: ToolHost;
  ledger: CallLedger;
  /** Takes a call over from its previous claimant: from now on, changes by that claimant are rejected. */
  fence(toolCallId: string, previous: string): Promise<void>;
  /** Checks whether the workspace has a commit by this call, from any claimant. */
  hasCommitted(toolCallId: string): Promise<boolean>;
  /**
   * Identifies this executor in the ledger. A claim by any other claimant counts as dead: its holder has lost the
   * thread.
   */
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

/** Makes an executor. It looks up, validates, decides, runs, finishes; each step continues, or ends the call with a result. */
export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { ledger, claimant, host } = options;
  const inFlight = new Map<string, Promise<ToolResult>>();
  /** Results that could not be stored in the ledger. */
  const unstored = new Map<string, ToolResult>();

  async function run(call: ToolCall, { stop, detach }: CallSignals): Promise<ToolResult> {
    const known = unstored.get(call.toolCallId);
    if (known !== undefined) return finish(call, known);
    const abortSignal = AbortSignal.any([stop, detach]);
    const entry = await ledger.get(call.toolCallId);
    if (entry?.result !== undefined) return entry.result;
    const prepared = prepareCall(call, host);
    if ('result' in prepared)
      return conclude(call, entry, entry === undefined ? prepared.result : toolRemovedResult(prepared.result));
    const { tool, input, adjusted } = prepared;
    if (detach.aborted) return takenOverResult(call);
    const verdict = entry === undefined ? undefined : await takeOver(call, tool, entry.claimant, options);
    if (verdict !== undefined) return conclude(call, entry, await withWritten(verdict, tool, options));
    const notes: string[] = [];
    const asking = { ...options, ask: noting(options.ask, notes) };
    const { refused, reviewed, approved } = await decide(call, tool, abortSignal, asking);
    if (detach.aborted) return takenOverResult(call);
    if (refused !== undefined) return conclude(call, entry, refused);
    const changed = changedMeanwhile(call, tool, host);
    if (changed !== undefined) return conclude(call, entry, changed);
    if (!(await claim(call, entry))) return resultOfOtherTab(call);
    if (detach.aborted) return takenOverResult(call);
    if (stop.aborted) return finish(call, notBegun(call));
    options.onRun?.(call);
    const startedAt = performance.now();
    const context = contextOf(call, abortSignal, { ...asking, approved });
    const work = (own: ToolContext) =>
      reviewed === undefined ? tool.execute(input, own) : writeReviewed(reviewed, own);
    const ran = await runTool(call, work, context, options);
    // The new claimant determines the outcome.
    if (ran === 'fenced-off' || (detach.aborted && ran.type === 'tool-error')) return resultOfOtherTab(call);
    const durationMs = Math.round(performance.now() - startedAt);
    const result = withNotes(withAdjusted(await withWritten(ran, tool, options), adjusted), notes);
    return finish(call, { ...result, durationMs });
  }

  const claim = (call: ToolCall, entry: LedgerEntry | undefined): Promise<boolean> =>
    ledger.claim({ toolCallId: call.toolCallId, claimant }, entry?.claimant);

  /**
   * Ends a call that does not run. It is claimed and finished like any other, so that two tabs never give it two
   * results.
   */
  async function conclude(call: ToolCall, entry: LedgerEntry | undefined, result: ToolResult): Promise<ToolResult> {
    return (await claim(call, entry)) ? finish(call, result) : resultOfOtherTab(call);
  }

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

/** The result of a call whose tool was removed or replaced since it was looked up; undefined if it is still the same. */
function changedMeanwhile(call: ToolCall, tool: Tool, host: ToolHost): ToolResult | undefined {
  if (host.get(call.toolName) === tool) return undefined;
  return failure(call, 'no-such-tool', `${tool.name} was removed or changed after it was called, so it was not run.`);
}

/** Turns `no-such-tool` into `interrupted`: a call that was claimed before its tool was removed may have run. */
function toolRemovedResult(result: ToolResult): ToolResult {
  if (result.type !== 'tool-error' || result.code !== 'no-such-tool') return result;
  const message = `${result.toolName} was interrupted and is no longer available. It may have made changes; check before you continue.`;
  return failure(result, 'interrupted', message);
}

/**
 * Rule R3, for a call that was claimed and not finished: undefined if it may run (again), otherwise its result. The
 * previous claimant may only be asleep, so its changes are fenced off before the outcome is determined.
 */
async function takeOver(
  { toolCallId, toolName }: ToolCall,
  tool: Tool,
  previous: string,
  { claimant, fence, hasCommitted }: ToolExecutorOptions,
): Promise<ToolResult | undefined> {
  if (tool.effect === 'read') return undefined;
  // Only the previous claimant is refused, so that a fence that comes late refuses nobody who has taken over since.
  if (previous !== claimant) await fence(toolCallId, previous);
  // Only what a tool writes to the workspace leaves a commit there.
  if (tool.effect === 'execute' || !tool.needs.includes('files')) {
    return failure(
      { toolCallId, toolName },
      'interrupted',
      `${tool.name} was interrupted while it ran. It may have made changes; check before you run it again.`,
    );
  }
  // A write is a single commit: either all of it was applied, or nothing.
  if (!(await hasCommitted(toolCallId))) return undefined;
  const content = 'Success. (The page was closed right after the call finished, so the details are lost.)';
  return { type: 'tool-result', toolCallId, toolName, output: { content } };
}

async function decide(
  call: ToolCall,
  tool: Tool,
  abortSignal: AbortSignal,
  options: ToolExecutorOptions,
): Promise<{ refused?: ToolResult; reviewed?: ReviewedChanges | undefined; approved: ProtectedPaths['approved'] }> {
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
      return { refused: failure(call, 'denied', `Not run. ${answer.reason}`), approved: [] };
    }
    options.egress?.allowed(call, decision.type === 'ask' && answer.unasked !== true ? 'asked' : byOf(decision));
    return { reviewed: answer.reviewed, approved };
  } catch (error) {
    return { refused: abortSignal.aborted ? notBegun(call) : failure(call, 'failed', describe(error)), approved: [] };
  }
}

const byOf = (decision: PermissionDecision): EgressDecision =>
  decision.type === 'allow' ? (decision.by ?? 'policy') : 'policy';

/** Applies the user's rules about paths to a call; undefined if they say nothing about it, or if the host has no files. */
function judged(call: ToolCall, tool: Tool, { host, pathRules }: ToolExecutorOptions): PathVerdict | undefined {
  const { files } = host.capabilities;
  return files === undefined ? undefined : judgeCall(tool, call.input, files, pathRules?.() ?? []);
}

/** Runs a call, and turns any error into a result; `fenced-off`: another tab took it over. Open forms are closed at the end. */
async function runTool(
  call: ToolCall,
  work: (context: ToolContext) => Promise<ToolOutput>,
  context: ToolContext,
  { askForm }: Pick<ToolExecutorOptions, 'askForm'>,
): Promise<ToolResult | 'fenced-off'> {
  const { toolCallId, toolName } = call;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.abortSignal, ended.signal]);
  const asking = askForm && { askForm: (form: CallForm) => askForm(call, form, signal) };
  try {
    const { files, ...output } = await work({ ...context, ...asking });
    return { type: 'tool-result', toolCallId, toolName, output, ...(files !== undefined && { files }) };
  } catch (error) {
    if (error instanceof FileSystemError && error.code === 'ECANCELED') return 'fenced-off';
    if (error instanceof ToolFailure) {
      const { code, message, files } = error;
      return { ...failure(call, code, message), ...(files.length > 0 && { files: [...files] }) };
    }
    if (context.abortSignal.aborted) return aborted(call);
    return failure(call, 'failed', describe(error) + (await hintOf(error, context)));
  } finally {
    ended.abort();
  }
}

/** Returns a hint that follows the reason of a failure and helps the model to go on. */
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
const capabilitiesFor = ({ host, pathRules, approved }: ContextOptions): ToolCapabilities =>
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
  if ('result' in prepared) return prepared.result;
  const { tool, input } = prepared;
  const { refused, approved } = await decide(inner, tool, context.abortSignal, options);
  const denied = refused ?? changedMeanwhile(inner, tool, options.host);
  if (denied !== undefined) return denied;
  const own = { ...context, ...capabilitiesFor({ ...options, approved }), toolCallId: inner.toolCallId };
  const result = await runTool(inner, (asking) => tool.execute(input, asking), own, options);
  return result === 'fenced-off' ? takenOverResult(inner) : result;
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

/** The result of a call that another tab executes now, as far as this page can tell. */
const takenOverResult = (call: ToolCall): ToolResult =>
  failure(call, 'interrupted', 'Another tab took over this call.');

const aborted = (call: ToolCall): ToolResult => failure(call, 'aborted', 'Stopped by the user before it finished.');

const notBegun = (call: ToolCall): ToolResult => failure(call, 'aborted', 'Not run: the turn was stopped first.');

function describe(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'The tool threw an error that cannot be displayed.';
  }
}
