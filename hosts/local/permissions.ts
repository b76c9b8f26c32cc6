import { isAllowed, prefixesOf } from '#lib/confinement/commands/command-rules.ts';
import type { ExternalDefinition } from '#lib/tools/catalogue/external-definition.ts';
import { readsHere } from '#lib/tools/core/reads-here.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import type { EgressDecision } from '#lib/tools/egress/egress.ts';
import { reachedHosts } from '#lib/tools/egress/reached-hosts.ts';
import type { PermissionAnswer } from '#lib/tools/execution/executor.ts';
import { outerCallId } from '#lib/tools/execution/inner-call.ts';
import type { PermissionDecision } from '#lib/tools/permission/permission.ts';
import type { PermissionPolicy } from '#lib/tools/permission/policy.ts';
import { isBuiltInToolset, sourceOf, TOOL_SERVER } from '#lib/tools/toolset-names.ts';
import type { CallProposal } from '#lib/workspace/review/call-proposal.ts';
import { type FolderConfig, policyOf } from './config.ts';

/**
 * The person's answer to whether a call may run. `scope`: it may run this time only, calls like it may run in this session,
 * or they may run in this folder from now on.
 */
export type Answer = { type: 'allow'; scope: 'once' | 'session' | 'always' } | { type: 'deny'; reason: string };

/** The definitions that the person sees when an external tool is new or has changed. */
export interface ToolChange {
  /** The definition that the person allowed last; undefined if they have allowed none. */
  before: ExternalDefinition | undefined;
  /** The current definition. */
  now: ExternalDefinition;
}

/**
 * The record of the external tools that the person has allowed. Each is allowed only as long as its definition stays the same.
 */
export interface ToolTrust {
  /** Checks whether the person has allowed a tool as it is now; undefined for the program's own tools. */
  isKnown(tool: ToolSpec): boolean | undefined;
  /**
   * Returns the current definition of a tool, and the one that was allowed last. Undefined for a tool that is allowed as it is,
   * and for the program's own tools.
   */
  changeOf(tool: ToolSpec): ToolChange | undefined;
  /** Records that a tool is allowed from now on, as it is. Returns whether that was possible. */
  remember(tool: ToolSpec): boolean;
}

/** The parts, besides the call, of the question whether the call may run. */
export interface Question {
  /** Whether the answer counts for this call only. */
  onlyOnce: boolean;
  /** The tool's current definition and the one that was allowed last; undefined if the person need not see them. */
  change?: ToolChange | undefined;
  /** The changes that the call would make to files; undefined if it makes none that can be computed. */
  proposal?: CallProposal | undefined;
}

/** The calls that are allowed from now on: all calls of a tool, unless `commands` or `hosts` limits them. */
export interface Allowed {
  /** The beginnings of the commands that are allowed. */
  commands?: readonly string[] | undefined;
  /** The hosts to which requests are allowed. */
  hosts?: readonly string[] | undefined;
}

/** Options of `Permissions`. */
export interface PermissionOptions {
  config: Pick<FolderConfig, 'permissions' | 'tools' | 'commands' | 'web'>;
  /**
   * Whether calls that need a question are allowed without one, unless their text comes from a file or a result, or their tool
   * has changed since the person allowed it.
   */
  isYes: boolean;
  /** Asks the person; undefined if nobody is there. Rejects with the signal's reason if it fires. */
  ask?: ((call: ToolCall, tool: Tool, question: Question, abortSignal: AbortSignal) => Promise<Answer>) | undefined;
  /** The record of the external tools that the person has allowed. */
  trust: ToolTrust;
  /** Writes into the settings that calls of a tool are allowed, or only commands that begin like these, or only these hosts. */
  allowAlways?(tool: Tool, only: Pick<Allowed, 'commands' | 'hosts'>): void;
}

/** Decides which calls may run in a folder. */
export class Permissions {
  readonly #options: PermissionOptions;
  /** The tools that are allowed, by `grantOf`: `thread` for this session only, `always` from now on. */
  readonly #granted = new Map<string, EgressDecision>();
  /** The beginnings of the commands that the person has allowed from now on, besides those of the configuration. */
  readonly #commands: string[] = [];
  /** The hosts that are allowed: `thread` for this session only, `always` from now on. */
  readonly #hosts = new Map<string, EgressDecision>();
  /** The hosts that the person has allowed for single calls and their inner calls, by the outer call's id. */
  readonly #hostsOnce = new Map<string, Set<string>>();
  /**
   * Ids of the calls that the person has allowed once. For calls that such a call makes, this counts if their tools are the
   * program's own.
   */
  readonly #allowed = new Set<string>();

  constructor(options: PermissionOptions) {
    this.#options = options;
  }

  /** Decides whether a call may run; the decision is `ask` if only the person can tell. */
  decide(call: ToolCall, tool: Tool): PermissionDecision {
    const { config } = this.#options;
    const policy = policyOf(config, tool);
    if (policy === 'deny') return { type: 'deny', reason: `The settings of this folder do not allow ${tool.name}.` };
    const isExternal = !isBuiltInToolset(tool.toolset);
    const hosts = reachedHosts(tool, call.input);
    const denied = hosts.find((host) => config.web.deny.includes(host));
    if (denied !== undefined) return { type: 'deny', reason: `The settings of this folder do not allow ${denied}.` };
    if (this.#wasAllowed(call, { isExternal, hosts })) return { type: 'allow', by: 'asked' };
    if (isOnlyOnce(call, tool)) return { type: 'ask', onlyOnce: true };
    // Each call that it makes gets its own decision.
    if (tool.delegates === true) return { type: 'allow' };
    if (isExternal) return this.#decideExternal(tool, policy);
    if (hosts.length > 0 && policy === 'ask') {
      const known = hosts.map((host) => (config.web.allow.includes(host) ? 'always' : this.#hosts.get(host)));
      if (known.includes(undefined)) return { type: 'ask' };
      return { type: 'allow', by: known.includes('thread') ? 'thread' : 'always' };
    }
    if (policy === 'allow') return { type: 'allow' };
    const granted = this.#granted.get(grantOf(tool));
    if (granted !== undefined) return { type: 'allow', by: granted };
    // In another folder, the same words could do something else.
    const command = cwdOf(call, tool) === '/' ? commandOf(call, tool) : undefined;
    const allow = [...config.commands.allow, ...this.#commands];
    return command !== undefined && isAllowed(command, { allow }) ? { type: 'allow' } : { type: 'ask' };
  }

  /**
   * Decides about an external tool. Only the person allows what it does, for the tool as it is: the configuration
   * of a folder can come from elsewhere, too. A tool that only reads follows the policy: the person has named its API,
   * or looked at its code.
   */
  #decideExternal(tool: Tool, policy: PermissionPolicy): PermissionDecision {
    if (tool.effect === 'read' && policy === 'allow') return { type: 'allow' };
    if (this.#options.trust.isKnown(tool) === true) return { type: 'allow', by: 'always' };
    const granted = this.#granted.get(grantOf(tool));
    return granted === undefined ? { type: 'ask' } : { type: 'allow', by: granted };
  }

  /**
   * Asks the person whether a call may run, and remembers the answer for as long as it counts. Answers by itself with `isYes`,
   * or if nobody is there. Rejects with the signal's reason if it fires.
   */
  async ask(call: ToolCall, tool: Tool, abortSignal: AbortSignal): Promise<PermissionAnswer> {
    const { ask, isYes, allowAlways, trust } = this.#options;
    const isForeign = call.origin !== undefined;
    const isExternal = !isBuiltInToolset(tool.toolset);
    const change = trust.changeOf(tool);
    // A person who says yes to everything has not seen what has changed.
    const isChanged = change?.before !== undefined;
    if (isYes && !isForeign && !isChanged) return { type: 'allow', unasked: true };
    if (ask === undefined) {
      const reason = isExternal ? nobodyForExternal(tool, { isChanged, isYes }) : nobody(tool, isYes);
      return { type: 'deny', reason: isForeign ? FOREIGN : reason, unasked: true };
    }
    const onlyOnce = isOnlyOnce(call, tool);
    const answer = await ask(call, tool, { onlyOnce, change }, abortSignal);
    if (answer.type === 'deny') return answer;
    const scope = onlyOnce ? 'once' : answer.scope;
    const hosts = reachedHosts(tool, call.input);
    const granted = scope === 'always' ? 'always' : 'thread';
    if (isExternal) {
      if (scope === 'once') this.#allowed.add(call.toolCallId);
      else this.#granted.set(grantOf(tool), granted);
      if (scope === 'always') trust.remember(tool);
      return { type: 'allow' };
    }
    if (hosts.length > 0) {
      const outerId = outerCallId(call.toolCallId);
      if (scope === 'once') this.#hostsOnce.set(outerId, new Set([...(this.#hostsOnce.get(outerId) ?? []), ...hosts]));
      else for (const host of hosts) this.#hosts.set(host, granted);
      if (scope === 'always') allowAlways?.(tool, { hosts });
      return { type: 'allow' };
    }
    const command = commandOf(call, tool);
    const prefixes = command === undefined ? undefined : prefixesOf(command);
    if (scope === 'once' || (scope === 'always' && command !== undefined && prefixes === undefined))
      this.#allowed.add(call.toolCallId);
    else if (scope === 'always' && prefixes !== undefined) this.#commands.push(...prefixes);
    else this.#granted.set(grantOf(tool), granted);
    if (scope === 'always' && (command === undefined || prefixes !== undefined))
      allowAlways?.(tool, { commands: prefixes });
    return { type: 'allow' };
  }

  /**
   * Checks whether the person has allowed a call once or, if its tool is not external, the call that makes it. A call that
   * sends requests counts as allowed if the person has allowed all its hosts for the outer call.
   */
  #wasAllowed(
    { toolCallId }: ToolCall,
    { isExternal, hosts }: { isExternal: boolean; hosts: readonly string[] },
  ): boolean {
    if (hosts.length > 0) {
      const once = this.#hostsOnce.get(outerCallId(toolCallId));
      return hosts.every((host) => once?.has(host) === true);
    }
    return this.#allowed.has(toolCallId) || (!isExternal && this.#allowed.has(outerCallId(toolCallId)));
  }

  /** Forgets the permissions of a call, because it has its result. */
  settled(toolCallId: string): void {
    this.#allowed.delete(toolCallId);
    this.#hostsOnce.delete(toolCallId);
  }
}

/**
 * Returns the key of a tool that is allowed in a session; for an external tool, it depends on the tool's
 * definition.
 */
const grantOf = ({ name, metadata }: Tool): string => `${name} ${metadata?.definition ?? ''}`;
/**
 * Checks whether a call can only be allowed once: it cannot be undone, or its text comes from elsewhere and its tool does more
 * than read here.
 */
const isOnlyOnce = ({ origin }: ToolCall, tool: Tool): boolean =>
  tool.destructive === true || (origin !== undefined && !readsHere(tool));

/** Returns the command of a call that runs one; undefined for any other call. */
export function commandOf(
  { input }: Pick<ToolCall, 'input'>,
  { presentation }: Pick<Tool, 'presentation'>,
): string | undefined {
  if (presentation.verb !== 'run-command') return undefined;
  const { [presentation.target ?? '']: command } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return typeof command === 'string' ? command : undefined;
}

/**
 * Returns the directory in which a call runs its command, as the call gives it; `/` for the folder itself, and for calls that
 * run no command.
 */
export function cwdOf({ input }: Pick<ToolCall, 'input'>, { presentation }: Pick<Tool, 'presentation'>): string {
  const { cwd } = (presentation.verb === 'run-command' ? (input ?? {}) : {}) as { cwd?: unknown };
  return typeof cwd === 'string' && !/^\.?\/?$/.test(cwd) ? cwd : '/';
}

const FOREIGN =
  'Its text comes from a file or a result, not from the user or from you alone, and nobody could be asked whether to run it.';

const nobody = ({ name, effect }: Tool, isYes: boolean): string =>
  `${name} needs the user's permission, and nobody could be asked. ${isYes ? '' : `It can be allowed with “${effect}: allow” under “permissions” in .roundtrip/config.yaml.`}`.trim();

/** Explains why an external tool is not called where nobody can be asked, and what the person can do about it. */
function nobodyForExternal(
  { name, destructive, toolset }: Tool,
  { isChanged, isYes }: { isChanged: boolean; isYes: boolean },
): string {
  const command = `with “roundtrip tools allow ${name}”`;
  if (isChanged)
    return `${name} is described differently than when it was allowed, and nobody could be asked. The user can allow it as it is now ${command}.`;
  const reason = `${name} needs the user's permission, and nobody could be asked.`;
  if (isYes) return reason;
  if (destructive === true)
    return `${reason} What it does can't be undone, so it is asked about each time, in a terminal.`;
  const answer = 'with the answer “always” in a terminal';
  return sourceOf(toolset)?.kind !== TOOL_SERVER
    ? `${reason} The user can allow it ${command}, or ${answer}.`
    : `${reason} The user can allow it ${command}, ${answer}, or under “allow” of its server in their mcp.yaml.`;
}
