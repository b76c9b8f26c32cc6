import { defined } from '#lib/base/defined.ts';
import { hasSeen, lastKnownHash } from '#lib/messages/branch-knowledge.ts';
import type { Documents } from '#lib/tools/capabilities/documents.ts';
import type { JavaScriptEvaluator } from '#lib/tools/capabilities/sandbox.ts';
import type { WebAccess } from '#lib/tools/capabilities/web.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { CallForm, FormAnswer } from '#lib/tools/core/call-form.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolCall } from '#lib/tools/core/tool-call.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import type { createToolExecutor, PermissionAnswer, ToolExecutor } from '#lib/tools/execution/executor.ts';
import type { ToolHost, ToolSource } from '#lib/tools/execution/host.ts';
import type { KnownFiles } from '#lib/tools/execution/known-files.ts';
import type { CallLedger } from '#lib/tools/execution/ledger.ts';
import type { PathRule, PathVerdict } from '#lib/tools/permission/path-rule.ts';
import type { judgeCall } from '#lib/tools/permission/path-rules.ts';
import type { PermissionDecision } from '#lib/tools/permission/permission.ts';
import { isToolsetOn } from '#lib/tools/toolset-names.ts';
import type { CallProposal } from '#lib/workspace/review/call-proposal.ts';
import type { BranchFiles } from './branch-files.ts';
import type { ThreadFiles } from './thread-files.ts';
import type { ThreadRecord } from './thread-record.ts';

/**
 * The code of the tools and of what runs them, which is loaded only when a thread needs it: `createToolExecutor` is the
 * function of `lib/tools/execution/executor.ts`, and so on.
 */
export interface LoadedTools {
  registry: ToolRegistry;
  createToolExecutor: typeof createToolExecutor;
  ToolHost: typeof ToolHost;
  judgeCall: typeof judgeCall;
  /** Access to the web; absent where tools have none. */
  web?: WebAccess;
  /** Reads documents; absent where tools cannot read them. */
  documents?: Documents;
  /** The record of the requests that a thread's calls send to other machines; absent if none is kept. */
  egressOf?(threadId: string): EgressRecord;
}

export interface ThreadToolsOptions {
  /** The tools, which may have to be loaded first. Never rejects: waits until they can be loaded. */
  loadTools(): Promise<LoadedTools>;
  /**
   * Loads a source of the tools in a workspace's files, which always has the present ones. If this function is absent,
   * workspaces have no tools. Never rejects.
   */
  loadProjectTools?(workspaceId: string): Promise<ToolSource>;
  /** The evaluator that runs a thread's code, one evaluation after the other. */
  evaluatorOf(threadId: string): JavaScriptEvaluator;
  ledger: CallLedger;
  /** The user's rules about paths, as they are now. */
  pathRules(): readonly PathRule[];
  decide(call: ToolCall, tool: Tool, paths: PathVerdict | undefined): PermissionDecision;
  ask(call: ToolCall, tool: Tool, signal: AbortSignal, paths: PathVerdict | undefined): Promise<PermissionAnswer>;
  askForm(call: ToolCall, form: CallForm, signal: AbortSignal): Promise<FormAnswer>;
}

/** The host and the executor of a thread's tools, and the files of its workspace, which the tools work on. */
interface OpenTools {
  host: ToolHost;
  executor: ToolExecutor;
  files: ThreadFiles;
}

/**
 * Opens the host of a thread's tools, which gives them files and other capabilities, and the executor of their calls. Opens
 * both again if the workspace has been closed in between.
 */
export class ThreadTools {
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;
  readonly #options: ThreadToolsOptions;
  #opened: (OpenTools & Pick<LoadedTools, 'judgeCall'>) | undefined;

  constructor(record: ThreadRecord, files: BranchFiles, options: ThreadToolsOptions) {
    this.#record = record;
    this.#files = files;
    this.#options = options;
  }

  /** A tool by its name; undefined if there is none, and before the tools have been opened. */
  get(toolName: string): Tool | undefined {
    return this.#opened?.host.get(toolName);
  }

  /**
   * Finds the verdict of the user's rules about paths on a call. Undefined if they say nothing about it, if there is no such
   * tool, and before the tools have been opened.
   */
  judge({ toolName, input }: Pick<ToolCall, 'toolName'> & { input?: unknown }): PathVerdict | undefined {
    const { host, judgeCall } = this.#opened ?? {};
    const tool = host?.get(toolName);
    const files = host?.capabilities.files;
    return tool === undefined || files === undefined
      ? undefined
      : judgeCall?.(tool, input, files, this.#options.pathRules());
  }

  /** Opens the tools over the workspace's files. Rejects with `FileSystemError` if the workspace cannot be opened. */
  async open(): Promise<OpenTools> {
    const { id, workspaceId } = this.#record.snapshot.thread;
    const [loaded, files, project] = await Promise.all([
      this.#options.loadTools(),
      this.#files.open(),
      this.#options.loadProjectTools?.(workspaceId),
    ]);
    if (this.#opened?.files === files) return this.#opened;
    const { web, documents } = loaded;
    const capabilities = {
      ...files.capabilities,
      sandbox: this.#options.evaluatorOf(id),
      ...defined({ web, documents }),
    };
    const host = new loaded.ToolHost(loaded.registry, capabilities, project);
    const { judgeCall } = loaded;
    this.#opened = { host, files, judgeCall, executor: this.#createExecutor(loaded, host, files) };
    return this.#opened;
  }

  /**
   * Finds the changes that a call would make to the files if it ran now. Rejects with `FileSystemError` if the
   * workspace cannot be opened.
   */
  async proposal(call: ToolCall, signal: AbortSignal): Promise<CallProposal> {
    const [{ host, files }, { proposalOf }] = await Promise.all([
      this.open(),
      import('#lib/workspace/review/call-proposal.ts'),
    ]);
    const tool = host.get(call.toolName);
    if (tool === undefined) return { files: [], uncompared: [], isStale: false };
    return proposalOf(call, tool, { files: files.capabilities.files, known: this.#known(host, files), signal });
  }

  #known(host: ToolHost, files: ThreadFiles): KnownFiles {
    const isReading = (toolName: string): boolean => host.get(toolName)?.effect === 'read';
    const branch = () => this.#record.snapshot.branch;
    return {
      hashOf: (path) => lastKnownHash(branch(), path, isReading),
      hasSeen: (hash) => hasSeen(branch(), hash, isReading),
      textOf: (path, hash) => files.textOf(path, hash),
    };
  }

  #createExecutor(loaded: LoadedTools, host: ToolHost, files: ThreadFiles): ToolExecutor {
    const record = this.#record;
    const { ledger, decide, ask, askForm, pathRules } = this.#options;
    const egress = loaded.egressOf?.(record.snapshot.thread.id);
    // The function of `lib/tools/execution/executor.ts`, which was loaded lazily with the tools.
    return loaded.createToolExecutor({
      host,
      ...defined({ egress }),
      fence: (toolCallId, previous) => files.fence(toolCallId, previous),
      hasCommitted: (toolCallId) => files.hasCommitted(toolCallId),
      writtenBy: (toolCallId, known) => files.writtenBy(toolCallId, known),
      changedBy: (toolCallId) => files.changedBy(toolCallId),
      known: this.#known(host, files),
      ledger,
      isOn: (toolset) => isToolsetOn(toolset, record.snapshot.thread.settings.toolsets),
      claimant: crypto.randomUUID(),
      decide,
      ask,
      askForm,
      pathRules,
      earlierResults: (toolName) =>
        (record.turn?.parts ?? []).flatMap((part) =>
          part.type === 'tool-call' && part.result !== undefined && host.get(part.toolName)?.name === toolName
            ? [part.result]
            : [],
        ),
      hasRunBefore: (toolName) =>
        record.snapshot.branch.some(
          (message) =>
            message.role === 'assistant' &&
            message.parts.some(
              (part) =>
                part.type === 'tool-call' && part.result !== undefined && host.get(part.toolName)?.name === toolName,
            ),
        ),
      onProgress: (toolCallId, progress) => {
        const { runningCalls, progress: known } = record.snapshot;
        if (!runningCalls.includes(toolCallId)) return;
        const running = [...known].filter(([id]) => runningCalls.includes(id));
        record.update({ progress: new Map([...running, [toolCallId, progress]]) });
      },
      onRun: (call) => record.update({ runningCalls: [...record.snapshot.runningCalls, call.toolCallId] }),
    });
  }
}
