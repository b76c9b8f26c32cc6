// More than 400 lines: the one state machine of a thread; what could be taken out of it has been.
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { endUnfinished, pendingCalls, toToolCall } from '#lib/messages/apply-chunk.ts';
import type { AssistantMessage, Message, UserMessage } from '#lib/messages/message.ts';
import { withResults } from '#lib/messages/results.ts';
import type { NamedCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import type { FormAnswer } from '#lib/tools/core/call-form.ts';
import type { ToolCall, ToolResult } from '#lib/tools/core/tool-call.ts';
import { executeBatch } from '#lib/tools/execution/batch.ts';
import type { CallLedger } from '#lib/tools/execution/ledger.ts';
import type { RuledPath } from '#lib/tools/permission/path-rule.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { Version } from '#lib/vfs/file-system.ts';
import type { CallProposal } from '#lib/workspace/review/call-proposal.ts';
import { type ApprovalAnswer, type ApprovalOptions, Approvals } from './approvals.ts';
import { BranchFiles, type BranchFilesOptions, type MoveAction } from './branch-files.ts';
import { CallForms } from './call-forms.ts';
import { MessageTree, withMissing } from './message-tree.ts';
import { type FollowRunOptions, failed, followRun, withoutUnfinishedStep } from './run-follower.ts';
import { storedStart } from './run-start.ts';
import type { Thread } from './thread.ts';
import { leadingCompactions, ThreadCompactions } from './thread-compactions.ts';
import type { CreateThreadLock, ThreadLock } from './thread-lock.ts';
import { ThreadRecord, type ThreadSnapshot } from './thread-record.ts';
import { StorageError } from './thread-store.ts';
import { ThreadTools, type ThreadToolsOptions } from './thread-tools.ts';
import type { Transport } from './transport.ts';
import { TurnStarter } from './turn-starter.ts';

export interface ThreadSessionOptions
  extends BranchFilesOptions,
    ApprovalOptions,
    Pick<ThreadToolsOptions, 'loadTools' | 'loadProjectTools' | 'evaluatorOf' | 'pathRules'> {
  transport: Transport;
  createLock: CreateThreadLock;
  /**
   * Stores a catalogue of the tools that this page offers now, with the workspace's instructions for the model, and resolves
   * with its name. All steps of a turn get the same instructions. Never rejects.
   */
  catalogue(of: { workspaceId: string; turnId: string }): Promise<Pick<NamedCatalogue, 'name'>>;
  /** The user's defaults for settings that the thread does not have. */
  defaults(): Promise<{ model: string | null; systemPrompt: string; summaryModel?: string | null }>;
}

/**
 * One thread as this tab knows it. While this tab holds the thread's lock, the session acts for the thread: it posts,
 * follows the stream, executes calls, sends results, and continues after a reload where it was (rules R1 to R15).
 * A plain state machine over the message tree; React only observes it.
 */
export class ThreadSession {
  readonly threadId: string;
  readonly #options: ThreadSessionOptions;
  readonly #lock: ThreadLock;
  readonly #record: ThreadRecord;
  readonly #files: BranchFiles;
  readonly #approvals: Approvals;
  readonly #forms: CallForms;
  readonly #turns: TurnStarter;
  readonly #compactions: ThreadCompactions;
  /** The thread's tools, which are opened before the first call is handled. */
  readonly #tools: ThreadTools;
  readonly #unsubscribeStore: () => void;
  /** Resolves when the loop that acts for the thread has ended; undefined while no loop is running. */
  #driving: Promise<void> | undefined;
  /** Resolves when all work that the user has asked for, and that must not stay half done, has ended. */
  #finished: Promise<unknown> = Promise.resolve();
  /** Ends the turn when it is aborted, such as when the user stops it. Each `#drive` makes a new one. */
  #stop = new AbortController();
  /**
   * Ends only this tab's work on the turn when it is aborted: when another tab takes over, or this one closes. The turn itself
   * goes on. Each `#becomeActor` makes a new one.
   */
  #detach = new AbortController();

  /**
   * Loads the messages of the thread and, if no other tab acts for it, continues where it was; otherwise shows what that tab
   * does. `newRun`: the id of the first run of a thread that has just been stored, which nobody can have posted yet.
   */
  static async open(thread: Thread, options: ThreadSessionOptions, newRun?: string): Promise<ThreadSession> {
    const tree = new MessageTree(withMissing(await options.store.messages(thread.id), thread.headId));
    const session = new ThreadSession(thread, tree, options);
    if (newRun !== undefined) session.#turns.begin(newRun);
    if (!(await session.#lock.open())) void session.#mirror();
    return session;
  }

  private constructor(thread: Thread, tree: MessageTree, options: ThreadSessionOptions) {
    this.threadId = thread.id;
    this.#options = options;
    this.#record = new ThreadRecord(thread, tree, {
      store: options.store,
      maySave: () => this.#lock.held,
      askedElsewhere: (turn) =>
        this.#approvals.askedElsewhere(
          turn,
          (toolName) => this.#tools.get(toolName),
          (call) => this.#tools.judge(call),
        ),
    });
    this.#files = new BranchFiles(this.#record, options);
    this.#approvals = new Approvals(this.#record, options);
    this.#forms = new CallForms(this.#record);
    this.#turns = new TurnStarter(this.#record, this.#files);
    this.#compactions = new ThreadCompactions(this.#record, this.#files);
    this.#tools = new ThreadTools(this.#record, this.#files, {
      loadTools: () => options.loadTools(),
      ...defined({ loadProjectTools: options.loadProjectTools }),
      evaluatorOf: (threadId) => options.evaluatorOf(threadId),
      ledger: this.#ledger(),
      pathRules: () => options.pathRules(),
      decide: (call, tool, paths) => this.#approvals.decide(call, tool, paths),
      ask: (call, tool, stop, paths) => this.#approvals.ask(call, tool, { paths, stop, detach: this.#detach.signal }),
      askForm: (call, form, signal) => this.#forms.ask(call, form, signal),
    });
    this.#lock = options.createLock(thread.id, {
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

  /**
   * Stops acting for the thread in this tab. Resolves once what the user has asked for, such as a stop, is done. Runs on the
   * server continue; whoever opens the thread next takes up pending work.
   */
  async close(): Promise<void> {
    this.#unsubscribeStore();
    await this.#pause();
    await this.#finished;
    this.#lock.close();
  }

  /**
   * Takes over the thread from the tab that acts for it, as soon as no tool is running there. Does nothing if that is this tab.
   */
  async continueHere(): Promise<void> {
    await this.#lock.takeOver();
  }

  /**
   * Sends a message at the end of the branch. While the server is producing output, the message waits as the one queued
   * message; if calls are waiting, they first end as `aborted` (rule R10).
   */
  async send(message: UserMessage): Promise<void> {
    await this.continueHere();
    if (this.#record.turn?.status.type === 'running' && this.#driving !== undefined) return this.#turns.queue(message);
    await this.#settle();
    // One that was queued when a turn ended early goes on waiting: nobody may expect it to be sent with this one.
    await this.#turns.append(message, this.#record.snapshot.thread.headId);
    this.#drive();
  }

  /**
   * Adds an edited version next to a user message and answers it, with the files as they were when the message was
   * sent. Returns false without doing anything if the user cancels.
   */
  async edit(messageId: string, message: UserMessage): Promise<boolean> {
    const parentId = this.#record.snapshot.tree.get(messageId)?.parentId;
    if (parentId === undefined) return false;
    if ((await this.#leaveFor(() => this.#files.pointBefore(messageId))) === undefined) return false;
    await this.#turns.append(message, parentId);
    this.#drive();
    return true;
  }

  /**
   * Answers the user message before a turn again, in a new sibling of that turn, with the files as they were at the message.
   * Does nothing if the user cancels.
   */
  async regenerate(messageId: string): Promise<void> {
    const parentId = this.#record.snapshot.tree.get(messageId)?.parentId;
    if (parentId === undefined || parentId === null) return;
    const turn = this.#record.snapshot.tree.get(messageId)?.message;
    if ((await this.#leaveFor(() => this.#files.pointAt(parentId))) === undefined) return;
    await this.#turns.start(parentId, turn === undefined ? [] : leadingCompactions(turn));
    this.#drive();
  }

  /**
   * Opens the branch that goes through a message, down to the end where the user was last, with the files as they were left
   * there. Does nothing if the user cancels.
   */
  async switchBranch(messageId: string): Promise<void> {
    const target = () => {
      const { tree, thread } = this.#record.snapshot;
      const chosen = tree.choose(thread.headId, thread.chosen);
      return { headId: tree.leafOf(messageId, chosen), chosen };
    };
    await this.#leaveFor(() => this.#files.pointOfHead(target().headId), { goTo: target });
  }

  /**
   * Restores the files to their state at a message: after a turn, or when a user message was sent. Resolves with the point
   * before the restore; undefined if the user cancels, or if the earlier state is unknown.
   */
  async restoreFiles(messageId: string): Promise<Version | undefined> {
    const left = await this.#leaveFor(() => this.#files.pointAt(messageId), { action: 'restore' });
    return left?.point;
  }

  /**
   * Continues a turn that failed or was stopped, from its last finished step (rule R12). What the unfinished step had said
   * stays as another version of the turn.
   */
  async retry(): Promise<void> {
    await this.continueHere();
    const turn = this.#record.turn;
    if (turn === undefined || this.#driving !== undefined) return;
    if (turn.status.type !== 'failed' && turn.status.type !== 'stopped') return;
    const base = withoutUnfinishedStep(turn);
    const left = turn.parts.slice(base.parts.length);
    try {
      // At once, so that nothing else begins meanwhile.
      await this.#record.saveTurn({ ...base, status: this.#turns.retry(base) });
    } catch (error) {
      return this.#fail(error);
    }
    if (left.some(({ type }) => type === 'text' || type === 'tool-call'))
      // If there is no room for it, the answer goes on.
      await this.#record.addVersion(turn.id, { ...turn, id: crypto.randomUUID(), parts: left }).catch(() => undefined);
    this.#drive();
  }

  /** Ends the turn: the model's request, running tools, and waiting calls. What has arrived stays. */
  async stop(): Promise<void> {
    await this.continueHere();
    await this.#settle();
  }

  /** Sends the queued message now, ending the turn that it is waiting for. */
  async sendQueuedNow(): Promise<void> {
    await this.continueHere();
    await this.#settle();
    const { queued, headId } = this.#record.snapshot.thread;
    if (queued !== undefined) await this.#turns.append(queued, headId, true);
    this.#drive();
  }

  /** Withdraws the queued message and resolves with it; undefined if there is none. */
  async takeBackQueued(): Promise<UserMessage | undefined> {
    const { queued } = this.#record.snapshot.thread;
    await this.#record.saveThread({ queued: undefined });
    return queued;
  }

  /** Asks for a summary of the conversation before the model's next step or, with `isAsked` false, withdraws that. */
  async compactNext(isAsked: boolean): Promise<void> {
    await this.#compactions.ask(isAsked);
  }

  /** Undoes a compaction or, with `isUndone` false, applies it again. Does nothing while the turn is in progress. */
  async undoCompaction(id: string, isUndone: boolean): Promise<void> {
    await this.continueHere();
    if (!this.#record.snapshot.busy) await this.#compactions.setUndone(id, isUndone);
  }

  /**
   * Answers a call that asks for permission. If the call does not ask in this tab, takes the thread over, so that it asks here
   * and finds the answer.
   */
  async answer(toolCallId: string, answer: ApprovalAnswer): Promise<void> {
    if (!this.#approvals.answer(toolCallId, answer)) await this.continueHere();
  }

  /** Passes the person's answer to the form of a running call, if the call still asks. */
  answerForm(toolCallId: string, answer: FormAnswer): void {
    this.#forms.answer(toolCallId, answer);
  }

  /** Finds the changes to files that a call would make now; none if it is not pending. Rejects with `FileSystemError`. */
  async proposal(toolCallId: string, signal: AbortSignal): Promise<CallProposal> {
    const call = this.#pending(toolCallId);
    return call === undefined ? { files: [], uncompared: [], isStale: false } : this.#tools.proposal(call, signal);
  }

  /** Checks whether the user wants to review the changes of a pending call. */
  isReview(toolCallId: string): boolean {
    const call = this.#pending(toolCallId);
    const tool = call && this.#tools.get(call.toolName);
    if (call === undefined || tool === undefined) return false;
    const decision = this.#approvals.decide(call, tool, this.#tools.judge(call));
    return decision.type === 'ask' && decision.isReview === true;
  }

  /**
   * The paths of a call about which the user's rules ask before the call runs; empty if they ask about none. The call may be an
   * inner one.
   */
  askedPaths(call: Pick<ToolCall, 'toolName'> & { input?: unknown }): readonly RuledPath[] {
    const paths = this.#tools.judge(call);
    return paths?.type === 'ask' ? paths.found : [];
  }

  #pending(toolCallId: string): ToolCall | undefined {
    const { turn } = this.#record;
    const part = turn && pendingCalls(turn).find((call) => call.toolCallId === toolCallId);
    return part && toToolCall(part);
  }

  // ---- File history (rule R20)

  /**
   * Leaves the open branch. Asks the user first if moving the files to the point from `findPoint` would affect others. Then
   * settles the turn, records the point of the files at which the branch is left, changes the thread as `goTo` says, and moves
   * the files, unless the point is unknown. Resolves with undefined if the user cancels, or if the point for a restore is
   * unknown; otherwise with the point that was left, if known.
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
    return this.#finish(this.#leave(answer === 'move' ? target : undefined, { action, goTo, named }));
  }

  /**
   * Leaves the branch, and moves the files to the target, if there is one. Resolves with the point that was left; with
   * undefined, and with the branch still open, if the user cancels the move.
   */
  async #leave(
    target: Version | undefined,
    { action, goTo, named }: { action: MoveAction; goTo(): Partial<Thread>; named: Set<string> },
  ): Promise<{ point: Version | undefined } | undefined> {
    await this.#settle();
    const isMove = target !== undefined;
    const { headId, chosen } = this.#record.snapshot.thread;
    const point = await this.#files.noteHead(goTo(), target);
    let isThere = !isMove;
    try {
      if (isMove) isThere = await this.#files.move(target, action, named);
    } finally {
      await this.#record.saveThread({
        movingTo: undefined,
        movingFrom: undefined,
        ...(isThere ? {} : { headId, chosen }),
      });
    }
    if (!isThere) return undefined;
    return { point };
  }

  // ---- Actor and mirror

  async #becomeActor(): Promise<void> {
    // The work that this tab was doing when it lost the thread must end first, or it would use the new signals.
    await this.#driving;
    if (!this.#lock.held) return;
    // Even if storage is full, the thread can be read.
    await this.#record.takeOver().catch(() => undefined);
    // The lock's previous holder may have written since this tab last read.
    await Promise.all([this.#record.reloadThread(), this.#record.reloadMessages()]);
    if (!this.#lock.held) return;
    this.#detach = new AbortController();
    this.#record.update({ role: 'actor' });
    // The next tab that takes the thread over tries again.
    await this.#record.settleEarlier().catch(() => undefined);
    await this.#files.finishMove().catch(() => undefined);
    this.#drive();
  }

  #becomeMirror(): void {
    this.#detach.abort();
    this.#record.update({ role: 'mirror', busy: false, runningCalls: [], offlineSince: undefined });
    void this.#record.reloadMessages();
    void this.#mirror();
  }

  /** Shows what another tab does, including its questions. */
  async #mirror(): Promise<void> {
    this.#record.update({ role: 'mirror' });
    await this.#tools.open();
    if (!this.#lock.held) this.#record.update({});
  }

  /** The store's ledger, except that a tab that no longer acts for the thread can claim no more calls. */
  #ledger(): CallLedger {
    const { store } = this.#options;
    return {
      get: (toolCallId) => store.get(toolCallId),
      claim: async (entry, expected) => !this.#detach.signal.aborted && store.claim(entry, expected),
      finish: (result, claimant) => store.finish(result, claimant),
    };
  }

  async #pause(): Promise<void> {
    this.#detach.abort();
    await this.#driving;
    await this.#record.flush();
  }

  // ---- The turn

  /** Starts the loop, with a new `#stop`, unless it is already running or this tab does not act for the thread. */
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
    if (turn === undefined) return headId === null ? undefined : () => this.#turns.start(headId);
    const { status } = turn;
    if (status.type === 'running') return () => this.#follow(status.runId);
    if (status.type === 'waiting') return () => this.#answerCalls(turn);
    return queued !== undefined && status.type === 'done' ? () => this.#turns.append(queued, headId, true) : undefined;
  }

  /** Makes `close` wait until the work has ended. */
  #finish<T>(work: Promise<T>): Promise<T> {
    this.#finished = Promise.allSettled([this.#finished, work]).then(() => undefined);
    return work;
  }

  /**
   * Ends the turn, so that something else can start: cancels its run on the server, waits for the loop, and gives calls without
   * a result one. Does nothing to a turn that has ended already. `close` waits for all of it.
   */
  #settle(): Promise<void> {
    return this.#finish(this.#settleNow());
  }

  async #settleNow(): Promise<void> {
    this.#stop.abort();
    const turn = this.#record.turn;
    if (turn?.status.type === 'running') {
      // The turn ends here in any case; if the server does not hear of it, the run expires there.
      await this.#options.transport.cancel(this.threadId, turn.status.runId).catch(() => undefined);
    }
    await this.#driving;
    await this.#settleCalls();
  }

  /** Gives every call without a result one, and ends the turn (rules R1, R10). */
  async #settleCalls(): Promise<void> {
    const turn = this.#record.turn;
    if (turn === undefined || (turn.status.type !== 'running' && turn.status.type !== 'waiting')) return;
    let settled: AssistantMessage = { ...endUnfinished(turn), status: { type: 'stopped' } };
    const signals = { stop: AbortSignal.abort(), detach: this.#detach.signal };
    for (const call of pendingCalls(settled)) {
      const { executor } = await this.#tools.open();
      settled = withResults(settled, [await executor.execute(toToolCall(call), signals)]);
    }
    await this.#record.saveTurn(settled);
    await this.#files.noteCheckpoint(settled.id);
    await this.#record.saveActivity('settled');
  }

  /** Handles an internal failure, most likely of this browser's storage, by showing it in the turn. */
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
    this.#record.setTurn(failed(turn, code, messageOf(error)));
    // The turn shows the error; storage may be what failed.
    this.#record.saveActivity('settled').catch(() => undefined);
  }

  // ---- Runs on the server

  /**
   * Follows the turn's run to its end, and stores the turn as the run leaves it. A run that has no start here was begun by an
   * earlier page or another tab, so it is rejoined and not posted.
   */
  async #follow(runId: string): Promise<void> {
    const { branch, tree } = this.#record.snapshot;
    const parentId = branch.at(-2)?.id;
    const start = this.#turns.takeStart(runId);
    const isFirstAnswer = start !== 'retry' && tree.siblings(branch.at(-1)?.id ?? '').length === 1;
    if (isFirstAnswer && parentId !== undefined && branch.at(-1)?.parts.length === 0) this.#turns.note(parentId);
    const turn = await followRun({
      transport: this.#options.transport,
      threadId: this.threadId,
      runId,
      branch,
      start: this.#mayServerKnow(branch) ? (start ?? storedStart(branch)) : 'replace',
      ...(await this.#runSettings()),
      catalogue: async () => {
        const { workspaceId } = this.#record.snapshot.thread;
        return (await this.#options.catalogue({ workspaceId, turnId: branch.at(-1)?.id ?? '' })).name;
      },
      isNew: start !== undefined,
      repeat: () => this.#turns.newRun('retry'),
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
    await this.#compactions.noteRun(turn, runId);
    if (turn.parts.some((part) => part.type === 'compaction' && part.runId === runId))
      await this.#compactions.saveMessages(this.#record.snapshot.branch);
    // Its calls need not wait for that: until the run is acknowledged below, the server can replay it, and call results
    // are in the ledger.
    if (turn.status.type !== 'waiting') await saved;
    // If the storage is full, the next save reports it.
    else saved.catch(() => undefined);
    // The server may only discard the run once it is stored here; if this message is lost, the run expires there. After
    // a run that ends with calls, it is not needed, because the next run takes its place.
    if (turn.status.type === 'running' || turn.status.type === 'waiting') return;
    saved.then(() => this.#options.transport.acknowledge(this.threadId, runId)).catch(() => undefined);
    await this.#files.noteCheckpoint(turn.id);
  }

  /**
   * Checks whether the server may know the branch up to the new messages at its end. False if this browser has changed messages
   * that the server knows, or if one of the two newest messages (the question and the turn) has other versions, of which the
   * server knows only one.
   */
  #mayServerKnow(branch: readonly Message[]): boolean {
    const { tree, thread } = this.#record.snapshot;
    return thread.resends !== true && branch.slice(-2).every(({ id }) => tree.siblings(id).length === 1);
  }

  async #runSettings(): Promise<Pick<FollowRunOptions, 'settings' | 'compaction'>> {
    const defaults = await this.#options.defaults();
    const { settings } = this.#record.snapshot.thread;
    return {
      settings: {
        model: settings.model ?? defaults.model ?? '',
        toolCalling: settings.toolCalling,
        toolsets: settings.toolsets,
        systemPrompt: settings.systemPrompt ?? defaults.systemPrompt,
        ...defined({ parameters: settings.parameters }),
      },
      compaction: this.#compactions.request(defaults.summaryModel ?? null),
    };
  }

  // ---- Calls in the browser

  /**
   * Executes the pending calls of a turn. Their results arrive one by one through `onResult`, which adds them to the turn; when
   * all are there, resumes the turn with a new run (rules R3 to R7).
   */
  async #answerCalls(turn: AssistantMessage): Promise<void> {
    let current = turn;
    const [tools] = await Promise.all([this.#tools.open(), this.#turns.noted]);
    if (this.#stop.signal.aborted || this.#detach.signal.aborted) return;
    const onResult = (result: ToolResult) => {
      this.#approvals.settled(result.toolCallId);
      this.#record.update({
        runningCalls: this.#record.snapshot.runningCalls.filter((id) => id !== result.toolCallId),
      });
      if (!this.#detach.signal.aborted) {
        current = withResults(current, [result]);
        this.#record.showTurn(current);
      }
      this.#lock.idle();
    };
    const signals = { stop: this.#stop.signal, detach: this.#detach.signal };
    await tools.files.whileActive(async () => {
      await this.#compactions.saveMessages(this.#record.snapshot.branch);
      await executeBatch(pendingCalls(turn).map(toToolCall), { ...tools, signals, onResult });
    });
    if (!this.#stop.signal.aborted && !this.#detach.signal.aborted) this.#resume(current);
  }

  /** Resumes a turn whose calls have their results: the loop finds its new run, and posts the results. */
  #resume(turn: AssistantMessage): void {
    // The run need not wait for that: results are in the ledger, the server treats a repeated resume as the same run,
    // and a storage failure will show up again when the end of the run is stored.
    this.#record.saveTurn({ ...turn, status: this.#turns.newRun('resume') }).catch(() => undefined);
  }
}
