import type { RunSettings } from '#lib/api/chat.ts';
import { endUnfinished, pendingCalls, toToolCall } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, UserMessage } from '#lib/messages/message.ts';
import { executeBatch } from '#lib/tools/batch.ts';
import type { createToolExecutor, PermissionAnswer, ToolExecutor } from '#lib/tools/executor.ts';
import { outerCallId } from '#lib/tools/inner-call.ts';
import { decidePermission, type PermissionDecision, type PermissionSettings } from '#lib/tools/permission.ts';
import type { AnyToolDefinition, ToolRegistry } from '#lib/tools/registry.ts';
import type { JavaScriptEvaluator, ToolCall, ToolResult } from '#lib/tools/tool.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import { BranchFiles, type BranchFilesOptions, type MoveAction } from './branch-files.ts';
import { lastKnownHash } from './branch-knowledge.ts';
import { MessageTree } from './message-tree.ts';
import { failed, followRun, withoutUnfinishedStep } from './run-follower.ts';
import { grantTime, type Thread, titleFrom } from './thread.ts';
import type { ThreadFiles } from './thread-files.ts';
import { ThreadLock } from './thread-lock.ts';
import { ThreadRecord, type ThreadSnapshot } from './thread-record.ts';
import { StorageError } from './thread-store.ts';
import type { Transport } from './transport.ts';

/**
 * The person's word on a call that asks. `once`: this call and those within it; `thread`: this tool, in this thread;
 * `always`: its kind, everywhere.
 */
export type ApprovalAnswer =
  | { type: 'allow'; scope: 'once' | 'thread' | 'always'; note?: string }
  | { type: 'deny'; reason: string };

/** The tools and what runs them: code that is not needed before the first call. */
export interface LoadedTools {
  registry: ToolRegistry;
  createToolExecutor: typeof createToolExecutor;
}

export interface ThreadSessionOptions extends BranchFilesOptions {
  transport: Transport;
  /** The tools, which may have to be loaded first. Never rejects: it waits until they can be. */
  loadTools(): Promise<LoadedTools>;
  permissions(): PermissionSettings;
  /** When the person last set what tools of a kind may do; undefined where that was never done. */
  policySetAt(tool: AnyToolDefinition): number | undefined;
  /** Where a thread's code runs, one evaluation after the other. */
  evaluatorOf(threadId: string): JavaScriptEvaluator;
  /** Stores that calls of this tool's kind are allowed everywhere, and that a thread's call was the occasion. */
  allowAlways(tool: AnyToolDefinition, thread: Thread): Promise<void>;
  /** What the person's defaults say where the thread says nothing. */
  defaults(): Promise<{ model: string | null; systemPrompt: string }>;
}

/**
 * One thread as this tab knows it, and, while it holds the thread's lock, the one that acts for it: it posts, follows
 * the stream, executes the calls, sends the results, and goes on after a reload where it was (rules R1 to R15).
 * A plain state machine over the message tree; React only watches.
 */
export class ThreadSession {
  readonly threadId: string;
  readonly #options: ThreadSessionOptions;
  /** There from when the first call is looked at. */
  #tools: { registry: ToolRegistry; executor: ToolExecutor; files: ThreadFiles } | undefined;
  readonly #lock: ThreadLock;
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;
  /** Done when the point of the files at the newest message is noted. */
  #noting: Promise<void> = Promise.resolve();
  readonly #unsubscribeStore: () => void;
  /** The loop that acts, while there is something to do. */
  #driving: Promise<void> | undefined;
  /** Ends the turn: the person stopped it. */
  #stop = new AbortController();
  /** Ends only this tab's part in it: another tab acts now, or this one closes. */
  #detach = new AbortController();
  readonly #newRuns = new Set<string>();
  /** Runs that repeat a step: the server's state is not the one they build on (rule R12). */
  readonly #retries = new Set<string>();
  readonly #asking = new Map<string, (answer: ApprovalAnswer) => void>();
  /** Calls that the person has allowed, with those within them. */
  readonly #allowedOnce = new Set<string>();
  /** Answers given here while another tab held the thread. */
  readonly #givenAnswers = new Map<string, ApprovalAnswer>();

  /** Loads the thread and, if no other tab acts for it, goes on with what it was doing. */
  static async open(thread: Thread, options: ThreadSessionOptions): Promise<ThreadSession> {
    const tree = new MessageTree(await options.store.messages(thread.id));
    const session = new ThreadSession(thread, tree, options);
    if (!(await session.#lock.open())) void session.#mirror();
    return session;
  }

  private constructor(thread: Thread, tree: MessageTree, options: ThreadSessionOptions) {
    this.threadId = thread.id;
    this.#options = options;
    this.#record = new ThreadRecord(thread, tree, {
      store: options.store,
      maySave: () => this.#lock.held,
      askedElsewhere: (turn) => this.#askedElsewhere(turn),
    });
    this.#files = new BranchFiles(this.#record, options);
    this.#lock = new ThreadLock(thread.id, {
      acquired: () => this.#becomeActor(),
      lost: () => this.#becomeMirror(),
      isBusy: () => this.#record.snapshot.runningCalls.length > 0,
      pause: () => this.#pause(),
    });
    this.#unsubscribeStore = options.store.subscribe((change) => {
      if (change.type === 'threads') void this.#record.reloadThread();
      if (change.type === 'messages' && change.threadId === this.threadId && !this.#lock.held)
        void this.#record.reloadMessages();
    });
  }

  getSnapshot = (): ThreadSnapshot => this.#record.snapshot;

  subscribe = (listener: () => void): (() => void) => this.#record.subscribe(listener);

  /** Stops acting in this tab. What runs on the server goes on; what is pending is taken up by whoever opens the thread next. */
  async close(): Promise<void> {
    this.#unsubscribeStore();
    await this.#pause();
    this.#lock.close();
  }

  /** Takes the thread over from another tab, as soon as no tool runs there. */
  async continueHere(): Promise<void> {
    await this.#lock.takeOver();
  }

  /**
   * Sends a message at the end of the branch. While the server produces, it waits as the one queued message; while
   * calls wait, these end as `aborted` first (rule R10).
   */
  async send(message: UserMessage): Promise<void> {
    await this.continueHere();
    if (this.#record.turn?.status.type === 'running' && this.#driving !== undefined) return this.#queue(message);
    await this.#settle();
    const { queued, headId } = this.#record.snapshot.thread;
    // What was written first, and waits because a turn ended early, goes first.
    await this.#append(queued === undefined ? message : joined(queued, message), headId, true);
    this.#drive();
  }

  /**
   * Adds an edited version beside a person's message and answers that, with the files as they were when the message was
   * sent. False, and nothing is done, when the person decides so.
   */
  async edit(messageId: string, message: UserMessage): Promise<boolean> {
    const parentId = this.#record.snapshot.tree.get(messageId)?.parentId;
    if (parentId === undefined) return false;
    if ((await this.#leaveFor(() => this.#files.pointBefore(messageId))) === undefined) return false;
    await this.#append(message, parentId);
    this.#drive();
    return true;
  }

  /** Answers the message before an assistant's message once more, beside it, with the files as they were for it. */
  async regenerate(messageId: string): Promise<void> {
    const parentId = this.#record.snapshot.tree.get(messageId)?.parentId;
    if (parentId === undefined || parentId === null) return;
    if ((await this.#leaveFor(() => this.#files.pointAt(parentId))) === undefined) return;
    await this.#startTurn(parentId);
    this.#drive();
  }

  /** Opens the branch that goes through a message, where the person was in it last, with the files as they were there. */
  async switchBranch(messageId: string): Promise<void> {
    const target = () => {
      const { tree, thread } = this.#record.snapshot;
      const chosen = tree.choose(thread.headId, thread.chosen);
      return { headId: tree.leafOf(messageId, chosen), chosen };
    };
    await this.#leaveFor(() => this.#files.pointOfHead(target().headId), { goTo: target });
  }

  /**
   * Makes the files what they were at a message: after a turn, or when a person's message was sent. Resolves with the
   * point before it; undefined when nothing was done.
   */
  async restoreFiles(messageId: string): Promise<Version | undefined> {
    const left = await this.#leaveFor(() => this.#files.pointAt(messageId), { action: 'restore' });
    return left?.point;
  }

  /** Goes on with a turn that failed or was stopped, from its last finished step (rule R12). */
  async retry(): Promise<void> {
    await this.continueHere();
    const turn = this.#record.turn;
    if (turn === undefined || this.#driving !== undefined) return;
    if (turn.status.type !== 'failed' && turn.status.type !== 'stopped') return;
    const base = withoutUnfinishedStep(turn);
    try {
      await this.#record.saveTurn({ ...base, status: this.#retryStatus(base) });
    } catch (error) {
      return this.#fail(error);
    }
    this.#drive();
  }

  #retryStatus(base: AssistantMessage): AssistantMessage['status'] {
    if (pendingCalls(base).length > 0) return { type: 'waiting' };
    const { status: before } = base;
    const last = base.parts.findLast(({ type }) => type === 'step' || type === 'tool-call');
    // The model had its last word; what failed was to store it.
    if (before.type === 'failed' && before.problem.code.startsWith('storage-') && last?.type === 'step')
      return { type: 'done' };
    const status = this.#newRun();
    this.#retries.add(status.runId);
    return status;
  }

  /** Ends the turn: the model's request, the tools that run, and what waits. What arrived stays. */
  async stop(): Promise<void> {
    await this.continueHere();
    await this.#settle();
  }

  /** Sends the queued message now, ending the turn it waits for. */
  async sendQueuedNow(): Promise<void> {
    await this.continueHere();
    await this.#settle();
    const { queued, headId } = this.#record.snapshot.thread;
    if (queued !== undefined) await this.#append(queued, headId, true);
    this.#drive();
  }

  /** Takes the queued message back; resolves with it. */
  async takeBackQueued(): Promise<UserMessage | undefined> {
    const { queued } = this.#record.snapshot.thread;
    await this.#record.saveThread({ queued: undefined });
    return queued;
  }

  /** Answers a call that asks, here or in the tab that holds the thread. */
  async answer(toolCallId: string, answer: ApprovalAnswer): Promise<void> {
    const resolve = this.#asking.get(toolCallId);
    if (resolve !== undefined) return resolve(answer);
    this.#givenAnswers.set(toolCallId, answer);
    await this.continueHere();
  }

  // ---- Where the files are (rule R20)

  /**
   * Brings the turn to rest, notes where the branch is left, goes where `goTo` says, and moves the files. Undefined when
   * the person decides against it; else the point that was left, where one is known.
   */
  async #leaveFor(
    findPoint: () => Promise<Version | undefined>,
    { action = 'branch', goTo = () => ({}) }: { action?: MoveAction; goTo?: () => Partial<Thread> } = {},
  ): Promise<{ point: Version | undefined } | undefined> {
    await this.continueHere();
    const target = await findPoint();
    const named = new Set<string>();
    const answer = target === undefined ? 'stay' : await this.#files.mayMove(target, action, named);
    if (target === undefined) this.#files.sayUnknown();
    if (answer === 'cancel' || (target === undefined && action === 'restore')) return undefined;
    await this.#settle();
    const isMove = answer === 'move' && target !== undefined;
    const { headId, chosen } = this.#record.snapshot.thread;
    const point = await this.#files.noteHead({ ...goTo(), ...(isMove && { movingTo: target }) });
    let isThere = !isMove;
    try {
      if (isMove) isThere = await this.#files.move(target, action, named);
    } finally {
      await this.#record.saveThread({ movingTo: undefined, ...(isThere ? {} : { headId, chosen }) });
    }
    if (!isThere) return undefined;
    return { point };
  }

  // ---- Who acts

  async #becomeActor(): Promise<void> {
    // The lock's last holder may have written since this tab looked (rule R4).
    await Promise.all([this.#record.reloadThread(), this.#record.reloadMessages()]);
    // What this tab was doing when it lost the thread must have ended: it would take the new signals for its own.
    await this.#driving;
    if (!this.#lock.held) return;
    this.#detach = new AbortController();
    this.#record.update({ role: 'actor' });
    await this.#files.finishMove().catch(() => undefined);
    this.#drive();
  }

  #becomeMirror(): void {
    this.#detach.abort();
    this.#record.update({ role: 'mirror', busy: false, runningCalls: [], offlineSince: undefined });
    void this.#record.reloadMessages();
    void this.#mirror();
  }

  /** Shows what another tab does, its questions too. */
  async #mirror(): Promise<void> {
    this.#record.update({ role: 'mirror' });
    await this.#loadTools();
    if (!this.#lock.held) this.#record.update({});
  }

  async #loadTools() {
    const [loaded, files] = await Promise.all([this.#options.loadTools(), this.#files.open()]);
    const { registry } = loaded;
    if (this.#tools?.files !== files) this.#tools = { registry, files, executor: this.#createExecutor(loaded, files) };
    return this.#tools;
  }

  #createExecutor({ registry, createToolExecutor: create }: LoadedTools, files: ThreadFiles): ToolExecutor {
    const { store } = this.#options;
    return create({
      registry,
      capabilities: { ...files.capabilities, evaluator: this.#options.evaluatorOf(this.threadId) },
      fence: (toolCallId, claimant) => files.fence(toolCallId, claimant),
      hasCommitted: (toolCallId) => files.hasCommitted(toolCallId),
      writtenBy: (toolCallId) => files.writtenBy(toolCallId),
      known: {
        hashOf: (path) =>
          lastKnownHash(this.#record.snapshot.branch, path, (name) => registry.get(name)?.effect === 'read'),
        textOf: (path, hash) => files.textOf(path, hash),
      },
      ledger: {
        get: (toolCallId) => store.get(toolCallId),
        claim: async (entry, expected) => !this.#detach.signal.aborted && store.claim(entry, expected),
        finish: (result, claimant) => store.finish(result, claimant),
      },
      claimant: crypto.randomUUID(),
      decide: (call, tool) => this.#decide(call, tool),
      ask: (call, tool, signal) => this.#ask(call, tool, signal),
      earlierResults: (toolName) =>
        (this.#record.turn?.parts ?? []).flatMap((part) =>
          part.type === 'tool-call' && part.result !== undefined && registry.get(part.toolName)?.name === toolName
            ? [part.result]
            : [],
        ),
      onRun: (call) => this.#record.update({ runningCalls: [...this.#record.snapshot.runningCalls, call.toolCallId] }),
    });
  }

  async #pause(): Promise<void> {
    this.#detach.abort();
    await this.#driving;
    await this.#record.flush();
  }

  // ---- The turn

  /** Starts the loop unless it runs. */
  #drive(): void {
    if (this.#driving !== undefined || !this.#lock.held || this.#detach.signal.aborted) return;
    this.#stop = new AbortController();
    this.#driving = this.#loop()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#driving = undefined;
        this.#record.update({ busy: false, asking: [], runningCalls: [] });
      });
  }

  async #loop(): Promise<void> {
    for (;;) {
      const work = this.#nextWork();
      if (work === undefined) break;
      await this.#record.saveActivity('working');
      await work();
    }
    await this.#record.flush();
    if (!this.#detach.signal.aborted) await this.#record.saveActivity('settled');
  }

  #nextWork(): (() => Promise<void>) | undefined {
    if (this.#detach.signal.aborted || this.#stop.signal.aborted) return undefined;
    const turn = this.#record.turn;
    const { queued, headId, deletedAt } = this.#record.snapshot.thread;
    if (deletedAt !== undefined) return undefined;
    if (turn === undefined) return headId === null ? undefined : () => this.#startTurn(headId);
    const { status } = turn;
    if (status.type === 'running') return () => this.#follow(status.runId);
    if (status.type === 'waiting') return () => this.#answerCalls(turn);
    return queued !== undefined && status.type === 'done' ? () => this.#append(queued, headId, true) : undefined;
  }

  /** Brings the turn to rest, whatever it is doing, so that something else can begin. */
  async #settle(): Promise<void> {
    this.#stop.abort();
    const turn = this.#record.turn;
    if (turn?.status.type === 'running') {
      await this.#options.transport.cancel(this.threadId, turn.status.runId).catch(() => undefined);
    }
    await this.#driving;
    await this.#settleCalls();
  }

  /** Every call that still has no result gets one, and nothing of the turn goes on (rules R1, R10). */
  async #settleCalls(): Promise<void> {
    const turn = this.#record.turn;
    if (turn === undefined || (turn.status.type !== 'running' && turn.status.type !== 'waiting')) return;
    let settled: AssistantMessage = { ...endUnfinished(turn), status: { type: 'stopped' } };
    const signals = { stop: AbortSignal.abort(), detach: this.#detach.signal };
    for (const call of pendingCalls(settled)) {
      const { executor } = await this.#loadTools();
      settled = withResult(settled, await executor.execute(toToolCall(call), signals));
    }
    await this.#record.saveTurn(settled);
    await this.#files.noteCheckpoint(settled.id);
    await this.#record.saveActivity('settled');
  }

  /** Something here broke, most likely this browser's storage. The person sees it where the turn stands. */
  #fail(error: unknown): void {
    const turn = this.#record.turn;
    if (turn === undefined || this.#detach.signal.aborted) return;
    const code =
      error instanceof StorageError
        ? `storage-${error.code}`
        : error instanceof FileSystemError
          ? error.code === 'ENOSPC'
            ? 'storage-full'
            : 'files'
          : 'internal';
    this.#record.setTurn(failed(turn, code, error instanceof Error ? error.message : String(error)));
  }

  async #append(message: UserMessage, parentId: string | null, fromQueue = false): Promise<void> {
    const { thread, tree } = this.#record.snapshot;
    // The message does not wait for its files; its calls do.
    this.#noting = this.#files.noteCheckpoint(message.id).catch(() => undefined);
    await this.#record.addMessage(message, parentId);
    const text = message.parts.map((part) => (part.type === 'text' ? part.text : (part.filename ?? ''))).join('\n');
    await this.#record.saveThread({
      headId: message.id,
      chosen: tree.choose(thread.headId, thread.chosen),
      updatedAt: Date.now(),
      ...(fromQueue ? { queued: undefined } : {}),
      ...(thread.titledBy === 'nobody' ? { title: titleFrom(text), titledBy: 'studio' as const } : {}),
    });
    await this.#startTurn(message.id);
  }

  async #startTurn(parentId: string | null): Promise<void> {
    const turn: AssistantMessage = {
      id: crypto.randomUUID(),
      role: 'assistant',
      createdAt: Date.now(),
      parts: [],
      status: this.#newRun(),
    };
    const { tree, thread } = this.#record.snapshot;
    await this.#record.addMessage(turn, parentId);
    await this.#record.saveThread({ headId: turn.id, chosen: tree.choose(thread.headId, thread.chosen) });
  }

  // ---- The server's part

  /** Follows the turn's run to its end and stores what it left. */
  async #follow(runId: string): Promise<void> {
    const { branch, tree } = this.#record.snapshot;
    const parentId = branch.at(-2)?.id;
    const turn = await followRun({
      transport: this.#options.transport,
      threadId: this.threadId,
      runId,
      branch,
      mayKnowBranch:
        !this.#retries.delete(runId) &&
        tree.siblings(branch.at(-1)?.id ?? '').length === 1 &&
        (parentId === undefined || tree.siblings(parentId).length === 1),
      settings: await this.#runSettings(),
      isNew: this.#newRuns.delete(runId),
      abortSignal: AbortSignal.any([this.#detach.signal, this.#stop.signal]),
      onProgress: (progress) => this.#record.showTurn(progress),
      onConnection: (isConnected) => {
        const { offlineSince } = this.#record.snapshot;
        if (isConnected === (offlineSince === undefined)) return;
        this.#record.update({ offlineSince: isConnected ? undefined : Date.now() });
      },
    });
    if (this.#record.snapshot.offlineSince !== undefined) this.#record.update({ offlineSince: undefined });
    if (this.#detach.signal.aborted) return;
    const saved = this.#record.saveTurn(turn);
    // Its calls need not wait for that: until the word below, the server can tell the run once more, and what a call
    // gave is in the ledger.
    if (turn.status.type !== 'waiting') await saved;
    // Only what is stored here may be forgotten there; if this word is lost, the server forgets by itself. After a
    // run that ends with calls it is not needed: the next run takes its place.
    if (turn.status.type === 'running' || turn.status.type === 'waiting') return;
    saved.then(() => this.#options.transport.acknowledge(this.threadId, runId)).catch(() => undefined);
    await this.#files.noteCheckpoint(turn.id);
  }

  /** A run that nobody can have posted yet. */
  #newRun(): { type: 'running'; runId: string } {
    const runId = crypto.randomUUID();
    this.#newRuns.add(runId);
    return { type: 'running', runId };
  }

  async #runSettings(): Promise<RunSettings> {
    const defaults = await this.#options.defaults();
    const { settings } = this.#record.snapshot.thread;
    return {
      model: settings.model ?? defaults.model ?? '',
      toolCalling: settings.toolCalling,
      toolsets: settings.toolsets,
      systemPrompt: settings.systemPrompt ?? defaults.systemPrompt,
    };
  }

  // ---- The browser's part

  /** Executes what is pending, then hands the results to a new run (rules R3 to R7). */
  async #answerCalls(turn: AssistantMessage): Promise<void> {
    let current = turn;
    const [tools] = await Promise.all([this.#loadTools(), this.#noting]);
    if (this.#stop.signal.aborted || this.#detach.signal.aborted) return;
    const onResult = (result: ToolResult) => {
      this.#allowedOnce.delete(result.toolCallId);
      this.#record.update({
        runningCalls: this.#record.snapshot.runningCalls.filter((id) => id !== result.toolCallId),
      });
      if (!this.#detach.signal.aborted) {
        current = withResult(current, result);
        this.#record.showTurn(current);
      }
      this.#lock.idle();
    };
    const signals = { stop: this.#stop.signal, detach: this.#detach.signal };
    await tools.files.whileActive(() =>
      executeBatch(pendingCalls(turn).map(toToolCall), { ...tools, signals, onResult }),
    );
    if (this.#stop.signal.aborted || this.#detach.signal.aborted) return;
    // The run need not wait for that: results are in the ledger, the server takes a repeated resume for the same run,
    // and storage that fails now fails again when the run's end is stored.
    this.#record.saveTurn({ ...current, status: this.#newRun() }).catch(() => undefined);
  }

  #decide(
    { toolCallId, origin }: Pick<ToolCall, 'toolCallId' | 'origin'>,
    tool: AnyToolDefinition,
  ): PermissionDecision {
    const { thread } = this.#record.snapshot;
    const decision = decidePermission({
      toolset: tool.toolset,
      effect: tool.effect,
      toolsetEnabled: thread.settings.toolsets.includes(tool.toolset),
      settings: this.#options.permissions(),
      grantedAt: grantTime(thread, tool.name),
      policySetAt: this.#options.policySetAt(tool),
      origin,
    });
    const isAllowed = decision.type === 'ask' && this.#allowedOnce.has(outerCallId(toolCallId));
    return isAllowed ? { type: 'allow' } : decision;
  }

  async #ask(call: ToolCall, tool: AnyToolDefinition, abortSignal: AbortSignal): Promise<PermissionAnswer> {
    // Of a call that another has made, the outer one's card asks.
    const toolCallId = outerCallId(call.toolCallId);
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalAnswer>();
    // A tab that gives the thread away leaves the question to the next one.
    const signal = AbortSignal.any([abortSignal, this.#detach.signal]);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const given = this.#givenAnswers.get(toolCallId);
    this.#givenAnswers.delete(toolCallId);
    if (given !== undefined) resolve(given);
    this.#asking.set(toolCallId, resolve);
    const innerCalls = new Map(toolCallId === call.toolCallId ? [] : [[toolCallId, call]]);
    this.#record.update({ asking: [...this.#asking.keys()], innerCalls });
    if (given === undefined) await this.#record.saveActivity('asking');
    try {
      const answer = await promise;
      if (answer.type === 'deny') return { type: 'deny', reason: answer.reason };
      const { thread } = this.#record.snapshot;
      const decision = this.#decide(call, tool);
      // What may only be allowed once is not remembered, whatever the answer says.
      const scope = decision.type === 'ask' && decision.onlyOnce ? 'once' : answer.scope;
      if (scope === 'once') this.#allowedOnce.add(toolCallId);
      else if (scope === 'always') await this.#options.allowAlways(tool, thread);
      else
        await this.#record.saveThread(({ grants, grantedAt }) => ({
          grants: [...new Set([...grants, tool.name])],
          grantedAt: { ...grantedAt, [tool.name]: Date.now() },
        }));
      return { type: 'allow', ...(answer.note !== undefined && { note: answer.note }) };
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#asking.delete(toolCallId);
      this.#record.update({ asking: [...this.#asking.keys()], innerCalls: new Map() });
      if (!this.#detach.signal.aborted) await this.#record.saveActivity('working');
    }
  }

  async #queue(message: UserMessage): Promise<void> {
    const { queued } = this.#record.snapshot.thread;
    await this.#record.saveThread({
      queued: queued === undefined ? message : joined(queued, message),
    });
  }

  /** What the tab that acts will be asking; it can be answered here. */
  #askedElsewhere(turn: AssistantMessage): string[] {
    const asked = pendingCalls(turn).find((call) => {
      const tool = this.#tools?.registry.get(call.toolName);
      return tool !== undefined && call.inputState === 'complete' && this.#decide(call, tool).type === 'ask';
    });
    return asked === undefined ? [] : [asked.toolCallId];
  }
}

/** Two messages as one: where text meets text, a line ends. */
function joined(first: UserMessage, second: UserMessage): UserMessage {
  const last = first.parts.at(-1);
  const [next, ...rest] = second.parts;
  if (last?.type !== 'text' || next?.type !== 'text')
    return { ...second, id: first.id, parts: [...first.parts, ...second.parts] };
  const text = `${last.text}\n${next.text}`;
  return { ...second, id: first.id, parts: [...first.parts.slice(0, -1), { type: 'text', text }, ...rest] };
}

function withResult(turn: AssistantMessage, result: ToolResult): AssistantMessage {
  return {
    ...turn,
    parts: turn.parts.map((part) =>
      part.type === 'tool-call' && part.toolCallId === result.toolCallId ? { ...part, result } : part,
    ),
  };
}
