import { defined } from '#lib/base/defined.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { judgeHosts } from '#lib/threads/approvals.ts';
import type { Thread } from '#lib/threads/thread.ts';
import type { LoadedTools } from '#lib/threads/thread-tools.ts';
import { fetchThrough } from '#lib/tools/browser/browser-js-eval.ts';
import type { SandboxFetch } from '#lib/tools/capabilities/sandbox.ts';
import type { CallTool, Tool } from '#lib/tools/core/tool.ts';
import { CONSOLE } from '#lib/tools/egress/egress.ts';
import { reachedHosts } from '#lib/tools/egress/reached-hosts.ts';
import { innerCallId } from '#lib/tools/execution/inner-call.ts';
import { PassingLedger } from '#lib/tools/execution/passing-ledger.ts';
import { decidePermission, type PermissionDecision } from '#lib/tools/permission/permission.ts';
import { isToolsetOn } from '#lib/tools/toolset-names.ts';
import { allowedHostAt, policySource, type Settings } from '../settings.ts';

/** A question to the person: may the code that they run send a request? */
export interface RequestQuestion {
  /** The host of the address, as `hostOf` names it. */
  host: string;
  /** The whole address of the request. */
  url: string;
}

/** Options for requests of the person's code. */
interface PersonWebOptions {
  load(): Promise<Pick<LoadedTools, 'registry' | 'createToolExecutor' | 'ToolHost' | 'web' | 'egressOf'>>;
  settings(): Settings;
  threadId: string;
  /** The thread; undefined before it is stored. */
  thread(): Pick<Thread, 'grants' | 'grantedAt' | 'settings'> | undefined;
  /** Asks whether a request may be sent. Never rejects. One question at a time. */
  ask(question: RequestQuestion): Promise<boolean>;
  /** Fires when the code is stopped. */
  abortSignal: AbortSignal;
}

/**
 * Makes a `fetch` for one piece of code that the person runs in the console. It calls the same tool as the model’s code, with
 * the same limits, permissions and record. A host that the person has not allowed is asked about once. If the web is off in the
 * thread, every host is asked about once.
 */
export function personFetch({ load, settings, threadId, thread, ask, abortSignal }: PersonWebOptions): SandboxFetch {
  const outerId = `console-${crypto.randomUUID()}`;
  const once = new Set<string>();
  const denied = new Set<string>();
  const questions = new SerialQueue();
  let calls = 0;

  const decide = (tool: Tool, input: unknown): PermissionDecision => {
    const now = settings();
    const { toolset, effect } = tool;
    const policySetAt = policySource(now, tool)?.at;
    const known = { once, thread: thread(), policySetAt, allowedAt: (host: string) => allowedHostAt(now, tool, host) };
    const hosts = judgeHosts(tool, reachedHosts(tool, input), known);
    const decision = decidePermission({
      toolset,
      effect,
      toolsetEnabled: true,
      settings: now.permissions,
      grantedAt: undefined,
      policySetAt,
      origin: undefined,
      hosts,
    });
    // Permissions for the model count only while the model may use the toolset.
    const isOn = isToolsetOn(toolset, thread()?.settings.toolsets ?? now.toolsets);
    const isAnswered = hosts?.type === 'known' && hosts.by === 'asked';
    return decision.type === 'allow' && !isOn && !isAnswered ? { type: 'ask' } : decision;
  };

  const isAllowed = (hosts: readonly string[], url: string): Promise<boolean> =>
    questions.run(async () => {
      for (const host of hosts) {
        if (once.has(host)) continue;
        if (abortSignal.aborted || denied.has(host)) return false;
        const isYes = await ask({ host, url });
        (isYes ? once : denied).add(host);
        if (!isYes) return false;
      }
      return true;
    });

  const callTool: CallTool = async (toolName, input, onWait = () => undefined) => {
    const { registry, createToolExecutor, ToolHost, web, egressOf } = await load();
    const record = egressOf?.(threadId);
    const executor = createToolExecutor({
      host: new ToolHost(registry, defined({ web })),
      ledger: new PassingLedger(),
      claimant: outerId,
      fence: async () => undefined,
      hasCommitted: async () => false,
      decide: (call, tool) => decide(tool, call.input),
      async ask(call, tool) {
        onWait(true);
        try {
          const { url } = call.input as { url: string };
          const isYes = await isAllowed(reachedHosts(tool, call.input), url);
          // A person who stops the code has not denied the request.
          abortSignal.throwIfAborted();
          return isYes ? { type: 'allow' } : { type: 'deny', reason: 'You did not allow it.' };
        } finally {
          onWait(false);
        }
      },
      ...(record !== undefined && {
        egress: {
          allowed: (call, decision) => record.allowed({ ...call, toolName: CONSOLE }, decision),
          denied: (call, ...denied) => record.denied({ ...call, toolName: CONSOLE }, ...denied),
          sent: (...request) => record.sent(...request),
        },
      }),
    });
    const call = { toolCallId: innerCallId(outerId, ++calls), toolName, input, inputState: 'complete' } as const;
    return executor.execute(call, { stop: abortSignal, detach: new AbortController().signal });
  };

  return fetchThrough(callTool);
}
