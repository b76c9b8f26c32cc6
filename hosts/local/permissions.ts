import { isAllowed, prefixesOf } from '#lib/commands/command-rules.ts';
import type { PermissionAnswer } from '#lib/tools/core/executor.ts';
import { outerCallId } from '#lib/tools/core/inner-call.ts';
import type { PermissionDecision } from '#lib/tools/core/permission.ts';
import { readsHere } from '#lib/tools/core/reads-here.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import { type FolderConfig, policyOf } from './config.ts';

/** The person's answer to a question: for this call, for the session, for this folder from now on, or not at all. */
export type Answer = { type: 'allow'; scope: 'once' | 'session' | 'always' } | { type: 'deny'; reason: string };

/** How a question is answered where nobody can be asked. */
export interface PermissionOptions {
  config: Pick<FolderConfig, 'permissions' | 'tools' | 'commands'>;
  /** Whether whatever would be asked is allowed, unless its text comes from elsewhere. */
  isYes: boolean;
  /** Asks the person; undefined if nobody is there. Rejects with the signal's reason if it fires. */
  ask?: ((call: ToolCall, tool: Tool, onlyOnce: boolean, abortSignal: AbortSignal) => Promise<Answer>) | undefined;
  /** Keeps that calls of a tool are allowed from now on, or only commands that begin like these. */
  allowAlways?(tool: Tool, commands: readonly string[] | undefined): void;
}

/** Which calls may run in a folder. */
export class Permissions {
  readonly #options: PermissionOptions;
  /** The tools that are allowed in this session. */
  readonly #granted = new Set<string>();
  /** The commands that are allowed from now on. */
  readonly #commands: string[] = [];
  /** Calls that the person has allowed, with their inner calls. */
  readonly #allowed = new Set<string>();

  constructor(options: PermissionOptions) {
    this.#options = options;
  }

  /** Whether a call may run, as far as that is known without the person. */
  decide(call: ToolCall, tool: Tool): PermissionDecision {
    const { config } = this.#options;
    const policy = policyOf(config, tool);
    if (policy === 'deny') return { type: 'deny', reason: `The settings of this folder do not allow ${tool.name}.` };
    if (this.#wasAllowed(call)) return { type: 'allow' };
    if (isOnlyOnce(call, tool)) return { type: 'ask', onlyOnce: true };
    // About each call that it makes is decided.
    if (tool.delegates === true) return { type: 'allow' };
    if (policy === 'allow' || this.#granted.has(tool.name)) return { type: 'allow' };
    // In another folder, the same words could do something else.
    const command = cwdOf(call, tool) === '/' ? commandOf(call, tool) : undefined;
    const allow = [...config.commands.allow, ...this.#commands];
    return command !== undefined && isAllowed(command, { allow }) ? { type: 'allow' } : { type: 'ask' };
  }

  /** Settles a question. */
  async ask(call: ToolCall, tool: Tool, abortSignal: AbortSignal): Promise<PermissionAnswer> {
    const { ask, isYes, allowAlways } = this.#options;
    const isForeign = call.origin !== undefined;
    if (isYes && !isForeign) return { type: 'allow' };
    if (ask === undefined) return { type: 'deny', reason: isForeign ? FOREIGN : nobody(tool, isYes) };
    const onlyOnce = isOnlyOnce(call, tool);
    const answer = await ask(call, tool, onlyOnce, abortSignal);
    if (answer.type === 'deny') return answer;
    const scope = onlyOnce ? 'once' : answer.scope;
    const command = commandOf(call, tool);
    const prefixes = command === undefined ? undefined : prefixesOf(command);
    if (scope === 'once' || (scope === 'always' && command !== undefined && prefixes === undefined))
      this.#allowed.add(call.toolCallId);
    else if (scope === 'always' && prefixes !== undefined) this.#commands.push(...prefixes);
    else this.#granted.add(tool.name);
    if (scope === 'always' && (command === undefined || prefixes !== undefined)) allowAlways?.(tool, prefixes);
    return { type: 'allow' };
  }

  /** Whether the person has allowed exactly this call, or the one that makes it. */
  #wasAllowed({ toolCallId }: ToolCall): boolean {
    return this.#allowed.has(toolCallId) || this.#allowed.has(outerCallId(toolCallId));
  }

  /** A call has its result, and needs no permission any more. */
  settled(toolCallId: string): void {
    this.#allowed.delete(toolCallId);
  }
}

/** Whether a call can only be allowed by itself: its text comes from elsewhere, or it cannot be undone. */
const isOnlyOnce = ({ origin }: ToolCall, tool: Tool): boolean =>
  tool.destructive === true || (origin !== undefined && !readsHere(tool));

/** The command of a call that runs one. */
export function commandOf(
  { input }: Pick<ToolCall, 'input'>,
  { presentation }: Pick<Tool, 'presentation'>,
): string | undefined {
  if (presentation.verb !== 'run-command') return undefined;
  const { [presentation.target ?? '']: command } = (input ?? {}) as Readonly<Record<string, unknown>>;
  return typeof command === 'string' ? command : undefined;
}

/** Where in the folder a call runs its command; `/` for calls that run none. */
export function cwdOf({ input }: Pick<ToolCall, 'input'>, { presentation }: Pick<Tool, 'presentation'>): string {
  const { cwd } = (presentation.verb === 'run-command' ? (input ?? {}) : {}) as { cwd?: unknown };
  return typeof cwd === 'string' && !/^\.?\/?$/.test(cwd) ? cwd : '/';
}

const FOREIGN =
  'Its text comes from a file or a result, not from the user or from you alone, and nobody could be asked whether to run it.';

const nobody = ({ name, effect }: Tool, isYes: boolean): string =>
  `${name} needs the user's permission, and nobody could be asked. ${isYes ? '' : `It can be allowed with “${effect}: allow” under “permissions” in .roundtrip/config.yaml.`}`.trim();
