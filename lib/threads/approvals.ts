import { defined } from '#lib/base/defined.ts';
import { pendingCalls } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage } from '#lib/messages/message.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { reachedHosts } from '#lib/tools/egress/reached-hosts.ts';
import type { PermissionAnswer } from '#lib/tools/execution/executor.ts';
import { outerCallId } from '#lib/tools/execution/inner-call.ts';
import { resolveDelegatedCall } from '#lib/tools/execution/resolve-delegated-call.ts';
import type { ReviewedChanges } from '#lib/tools/execution/reviewed-changes.ts';
import type { PathVerdict, RuledPath } from '#lib/tools/permission/path-rule.ts';
import {
  decidePermission,
  type HostVerdict,
  isGranted,
  type PermissionDecision,
} from '#lib/tools/permission/permission.ts';
import type { PermissionSettings } from '#lib/tools/permission/policy.ts';
import { isBuiltInToolset, isToolsetOn } from '#lib/tools/toolset-names.ts';
import { grantName, grantTime, hostGrantName, type Thread } from './thread.ts';
import type { ThreadRecord } from './thread-record.ts';

/**
 * The user's answer to a call that asks for permission. `once`: allows this call and its inner calls; `thread`: this tool in
 * this thread; `always`: all tools of its kind (its toolset and effect) everywhere. For a call that reaches hosts, `thread` and
 * `always` allow only these hosts. `note` and `reason`: a message to the model. `reviewed`: the files as the user wants them
 * after a review, to be written in place of the call's own changes. `isAhead`: the answer was given before the call asked, and
 * is only about its changes to files.
 */
export type ApprovalAnswer =
  | { type: 'allow'; scope: 'once' | 'thread' | 'always'; note?: string; reviewed?: ReviewedChanges; isAhead?: true }
  | { type: 'deny'; reason: string };

/** A tool for whose call the user may be asked. */
type AskedTool = ToolSpec & Partial<Pick<Tool, 'parse' | 'reaches'>>;

export interface ApprovalOptions {
  permissions(): PermissionSettings;
  /**
   * When the user last set the policy for this tool's toolset and effect, in milliseconds since the epoch; undefined if never.
   */
  policySetAt(tool: ToolSpec): number | undefined;
  /**
   * Checks whether the user has allowed an external tool everywhere, as it describes itself now. False also if only a thread's
   * grant allows it; undefined for a tool that comes from no tool server or HTTP API.
   */
  isKnown(tool: ToolSpec): boolean | undefined;
  /** Stores that the user has allowed an external tool as it describes itself now; does nothing for other tools. */
  remember(tool: ToolSpec, scope: 'thread' | 'always'): Promise<void>;
  /**
   * When the user allowed this tool's toolset to reach a host in all threads, in milliseconds since the epoch; undefined if
   * they have not.
   */
  hostAllowedAt?(tool: ToolSpec, host: string): number | undefined;
  /** Stores that this tool's toolset may reach these hosts in all threads. `thread`: where the user decided that. */
  allowHosts?(tool: ToolSpec, hosts: readonly string[], thread: Thread): Promise<void>;
  /** Stores that tools of this toolset and effect are allowed in all threads. `thread`: where the user decided that. */
  allowAlways(tool: ToolSpec, thread: Thread): Promise<void>;
}

/**
 * Decides which of a thread's calls may run: by settings, rules, and earlier permissions and, where these don't decide, by
 * asking the user.
 */
export class Approvals {
  readonly #record: ThreadRecord;
  readonly #options: ApprovalOptions;
  /** Functions that take the user's answer, by the ids of the calls that wait for it. */
  readonly #asking = new Map<string, (answer: ApprovalAnswer) => void>();
  /**
   * The ids of calls without a result that the user has allowed to run. `decide` says which of their inner calls that covers.
   */
  readonly #allowedOnce = new Set<string>();
  /** Paths about which the user's rules ask, and which the user has allowed a call (by id) and its inner calls to use. */
  readonly #allowedPaths = new Map<string, Set<string>>();
  /** Hosts that the user has allowed a call (by id) and its inner calls to reach. */
  readonly #allowedHosts = new Map<string, Set<string>>();
  /** Answers that were given here before the call asked in this tab, by the call's id. */
  readonly #givenAnswers = new Map<string, ApprovalAnswer>();

  constructor(record: ThreadRecord, options: ApprovalOptions) {
    this.#record = record;
    this.#options = options;
  }

  /**
   * Decides from what is known whether a call may run (`allow`), must not (`deny`), or needs the user's answer (`ask`).
   * `paths`: the verdict of the user's rules about paths on the call; undefined if they say nothing about it.
   */
  decide(
    { toolCallId, origin, input }: Pick<ToolCall, 'toolCallId' | 'origin'> & { input?: unknown },
    tool: AskedTool,
    paths: PathVerdict | undefined,
  ): PermissionDecision {
    const { thread } = this.#record.snapshot;
    const known = this.#allowedPaths.get(outerCallId(toolCallId));
    const isAnswered = paths?.type === 'ask' && paths.found.every((path) => known?.has(keyOf(path)));
    const open = isAnswered ? undefined : paths;
    const hosts = this.#judgeHosts(toolCallId, tool, reachedHosts(tool, input));
    const decision = decidePermission({
      toolset: tool.toolset,
      effect: tool.effect,
      toolsetEnabled: isToolsetOn(tool.toolset, thread.settings.toolsets),
      settings: this.#options.permissions(),
      grantedAt: grantTime(thread, grantName(tool)),
      policySetAt: this.#options.policySetAt(tool),
      origin,
      reviews: thread.settings.reviews === true,
      paths: open,
      hosts,
      isKnown: this.#options.isKnown(tool),
      isDestructive: tool.destructive,
      delegates: tool.delegates,
    });
    const outerId = outerCallId(toolCallId);
    // That code may run does not mean that it may use these paths, reach these hosts, or call whatever else there is.
    const isCovered =
      open?.type !== 'ask' && (outerId === toolCallId || (isBuiltInToolset(tool.toolset) && hosts === undefined));
    const isAllowed = decision.type === 'ask' && isCovered && this.#allowedOnce.has(outerId);
    return isAllowed ? { type: 'allow', by: 'asked' } : decision;
  }

  /**
   * Asks the user, unless `answer` has kept an answer that still fits. If the user allows the call, stores the permission in
   * the scope that they chose, or for this call only if it cannot be allowed for longer. Rejects with a signal's reason if it
   * fires first: `stop` ends the call; after `detach`, another tab asks instead.
   */
  async ask(
    call: ToolCall,
    tool: AskedTool,
    { paths, stop, detach }: { paths: PathVerdict | undefined; stop: AbortSignal; detach: AbortSignal },
  ): Promise<PermissionAnswer> {
    // For an inner call, the outer call's card asks for permission.
    const toolCallId = outerCallId(call.toolCallId);
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalAnswer>();
    // It may be rejected before anybody waits for it.
    promise.catch(() => undefined);
    const signal = AbortSignal.any([stop, detach]);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const given = this.#givenAnswers.get(toolCallId);
    this.#givenAnswers.delete(toolCallId);
    // A permission for a tool that can change may have been given for another description of it. An answer to one
    // question of code says nothing about a host that the code asks for next. An answer about changes says nothing
    // about anything else that the call asks for by now.
    const isSame = toolCallId === call.toolCallId || reachedHosts(tool, call.input).length === 0;
    const isMore = paths?.type === 'ask' || call.origin !== undefined || tool.destructive === true;
    const isUsed =
      given !== undefined &&
      (given.type === 'deny' ||
        (isSame && this.#options.isKnown(tool) === undefined && !(given.isAhead === true && isMore)));
    if (isUsed) resolve(given);
    this.#asking.set(toolCallId, resolve);
    const innerCalls = new Map(toolCallId === call.toolCallId ? [] : [[toolCallId, call]]);
    this.#record.update({ asking: [...this.#asking.keys()], innerCalls });
    if (!isUsed) await this.#record.saveActivity('asking');
    try {
      const answer = await promise;
      if (answer.type === 'deny') return { type: 'deny', reason: answer.reason };
      await this.#allow(call, tool, { wanted: answer.scope, paths });
      const { note, reviewed } = answer;
      return { type: 'allow', ...defined({ note, reviewed }) };
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#asking.delete(toolCallId);
      this.#record.update({ asking: [...this.#asking.keys()], innerCalls: new Map() });
      if (!detach.aborted) await this.#record.saveActivity('working');
    }
  }

  async #allow(
    call: ToolCall,
    tool: AskedTool,
    { wanted, paths }: { wanted: 'once' | 'thread' | 'always'; paths: PathVerdict | undefined },
  ): Promise<void> {
    const { thread } = this.#record.snapshot;
    const decision = this.decide(call, tool, paths);
    // If the call can only be allowed once, don't store the permission, whatever the answer says.
    const scope = decision.type === 'ask' && decision.onlyOnce ? 'once' : wanted;
    const outerId = outerCallId(call.toolCallId);
    if (paths?.type === 'ask') {
      const known = this.#allowedPaths.get(outerId) ?? new Set();
      this.#allowedPaths.set(outerId, new Set([...known, ...paths.found.map(keyOf)]));
      // Of code that was asked about one path, nothing else is allowed by the answer.
      if (outerId !== call.toolCallId) return;
    }
    const hosts = reachedHosts(tool, call.input);
    if (hosts.length > 0) {
      await this.#allowHosts(tool, hosts, { scope, outerId });
      // That code may reach a host allows nothing else.
      if (outerId === call.toolCallId) this.#allowedOnce.add(outerId);
      return;
    }
    if (scope !== 'once') await this.#options.remember(tool, scope);
    if (scope === 'once') this.#allowedOnce.add(outerId);
    else if (scope === 'always') await this.#options.allowAlways(tool, thread);
    else await this.#grant([grantName(tool)]);
  }

  async #allowHosts(
    tool: ToolSpec,
    hosts: readonly string[],
    { scope, outerId }: { scope: 'once' | 'thread' | 'always'; outerId: string },
  ): Promise<void> {
    this.#allowedHosts.set(outerId, new Set([...(this.#allowedHosts.get(outerId) ?? []), ...hosts]));
    if (scope === 'thread') await this.#grant(hosts.map((host) => hostGrantName(tool, host)));
    if (scope === 'always') await this.#options.allowHosts?.(tool, hosts, this.#record.snapshot.thread);
  }

  /** Stores in the thread's grants that the user has allowed these tools or hosts. */
  async #grant(names: readonly string[]): Promise<void> {
    const at = Object.fromEntries(names.map((name) => [name, Date.now()]));
    await this.#record.saveThread(({ grants, grantedAt }) => ({
      grants: [...new Set([...grants, ...names])],
      grantedAt: { ...grantedAt, ...at },
    }));
  }

  #judgeHosts(toolCallId: string, tool: AskedTool, hosts: readonly string[]): HostVerdict | undefined {
    return judgeHosts(tool, hosts, {
      once: this.#allowedHosts.get(outerCallId(toolCallId)),
      thread: this.#record.snapshot.thread,
      policySetAt: this.#options.policySetAt(tool),
      allowedAt: (host) => this.#options.hostAllowedAt?.(tool, host),
    });
  }

  /**
   * Passes the user's answer to a call that asks, and returns true. If the call does not ask in this tab, returns false and
   * keeps the answer until the call asks.
   */
  answer(toolCallId: string, answer: ApprovalAnswer): boolean {
    const resolve = this.#asking.get(toolCallId);
    if (resolve === undefined) this.#givenAnswers.set(toolCallId, answer);
    else resolve(answer);
    return resolve !== undefined;
  }

  /** Forgets what the user has allowed for a call. Must be called when the call has its result. */
  settled(toolCallId: string): void {
    this.#allowedOnce.delete(toolCallId);
    this.#allowedPaths.delete(toolCallId);
    this.#allowedHosts.delete(toolCallId);
  }

  /**
   * The id of the first pending call that needs permission, as a list; empty if none does. The acting tab, which is not this
   * one, asks about that call; this tab can answer, too.
   */
  askedElsewhere(
    turn: AssistantMessage,
    toolOf: (toolName: string) => AskedTool | undefined,
    judge: (call: Pick<ToolCall, 'toolName'> & { input?: unknown }) => PathVerdict | undefined,
  ): string[] {
    const asked = pendingCalls(turn).find((pending) => {
      const call = resolveDelegatedCall(pending, toolOf);
      const tool = toolOf(call.toolName);
      return (
        tool !== undefined && call.inputState === 'complete' && this.decide(call, tool, judge(call)).type === 'ask'
      );
    });
    return asked === undefined ? [] : [asked.toolCallId];
  }
}

const keyOf = ({ path, effect }: RuledPath): string => `${effect} ${path}`;

/** The person's decisions about hosts. */
interface KnownHosts {
  /** Hosts that the person has allowed for the current call. */
  once?: ReadonlySet<string> | undefined;
  /** The thread whose grants count; undefined if it is not stored yet. */
  thread: Pick<Thread, 'grants' | 'grantedAt'> | undefined;
  /** When the person last set the policy for the tool's toolset and effect; undefined if never. */
  policySetAt: number | undefined;
  /** When the person allowed the tool's toolset to reach a host everywhere; undefined if they have not. */
  allowedAt(host: string): number | undefined;
}

/**
 * Returns the verdict about all network hosts that a call of a tool reaches: `ask` if at least one of them is not allowed;
 * otherwise `known`, with the kind of permission that the first of them has (`by`). `once`: the hosts that are allowed for this
 * call only. A permission in the thread, or in all threads (`allowedAt`), does not count if it is older than `policySetAt`, the
 * time at which the user last set the policy for such tools. Undefined if the call reaches no host.
 */
export function judgeHosts(
  tool: Pick<ToolSpec, 'toolset'>,
  hosts: readonly string[],
  { once, thread, policySetAt, allowedAt }: KnownHosts,
): HostVerdict | undefined {
  const isStanding = (grantedAt: number | undefined) => isGranted({ grantedAt, policySetAt });
  const verdicts = hosts.map((host): HostVerdict => {
    if (once?.has(host)) return { type: 'known', by: 'asked' };
    if (thread !== undefined && isStanding(grantTime(thread, hostGrantName(tool, host))))
      return { type: 'known', by: 'thread' };
    return isStanding(allowedAt(host)) ? { type: 'known', by: 'always' } : { type: 'ask' };
  });
  return verdicts.find(({ type }) => type === 'ask') ?? verdicts[0];
}
