import { createStore, type StoreApi } from 'zustand/vanilla';
import { defined } from '#lib/base/defined.ts';
import { lazy } from '#lib/base/lazy.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { Problem, UserMessage } from '#lib/messages/message.ts';
import type { WholeThread } from '#lib/threads/adopt-thread.ts';
import { isTemporary, newThreadId } from '#lib/threads/temporary.ts';
import type { Thread, ThreadSettings } from '#lib/threads/thread.ts';
import type { ThreadSession, ThreadSessionOptions } from '#lib/threads/thread-session.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import { loadThreadCode } from './load-thread-code.ts';
import { problemOf } from './problem-of.ts';
import type { ThreadTrash } from './thread-trash.ts';
import type { ThreadsState } from './threads-state.ts';
import type { UnstoredMessage } from './unstored-messages.ts';
import type { Workspaces } from './workspaces.ts';

/** The number of messages that are read first when a thread is opened: more than a screen shows. */
const OPENING_MESSAGES = 12;

export interface ThreadsOptions extends ThreadSessionOptions {
  workspaces: Workspaces;
  /** The part of the store that has a thread and its calls. */
  storeOf(threadId: string): Promise<ThreadStore>;
  /** Called when a thread has been deleted for good. */
  onDeleted(id: string): void;
}

/** The list of threads, the open one, and their sessions. */
export class Threads {
  readonly state: StoreApi<ThreadsState>;
  /** Messages that were sent, but may be lost if the page is closed now, each with the id of its thread. */
  readonly unstored = new Set<UnstoredMessage>();
  readonly #options: ThreadsOptions;
  /** Loads the trash, once. Called when threads have been deleted, and at the start if there are threads. */
  readonly #loadTrash: () => Promise<ThreadTrash>;
  readonly #closed = new AbortController();
  readonly #sessions = new Map<string, Promise<ThreadSession>>();
  /** The messages of each thread that are being sent, in the order in which they are stored, however long their files take. */
  readonly #sending = new Map<string, SerialQueue>();
  /** The workspaces of threads that are being created, by thread. */
  readonly #creating = new Map<string, string>();
  /** The thread that is opened if the last deletion is undone. */
  #reopens: string | undefined;
  /** The number of times that a thread was opened, which shows whether the user has gone elsewhere meanwhile. */
  #selections = 0;

  constructor(options: ThreadsOptions, draft: ThreadSettings) {
    this.state = createStore<ThreadsState>(() => ({
      threads: [],
      selectedId: null,
      session: undefined,
      opening: undefined,
      failed: undefined,
      draftId: crypto.randomUUID(),
      draft,
      draftGrants: [],
      draftWorkspaceId: null,
      justDeleted: [],
      unsent: undefined,
    }));
    this.#options = options;
    this.#loadTrash = lazy(async () => {
      const { ThreadTrash } = await import('./thread-trash.ts');
      return new ThreadTrash({
        ...options,
        justDeleted: () => this.state.getState().justDeleted,
        setJustDeleted: (threads) => this.state.setState({ justDeleted: threads }),
        shownWorkspaceId: () => this.workspaceId,
        closeSession: (id) => this.#closeSession(id),
        closed: this.#closed.signal,
      });
    });
  }

  /**
   * Reads the list, opens a thread, completes deletions, and resumes every thread that was not settled. Resolves as soon as the
   * newest messages of the open thread are shown, or opening it has ended.
   */
  async open(selectedId: string | null): Promise<void> {
    this.#options.store.subscribe((change) => {
      if (change.type === 'threads') void this.#refresh();
    });
    const stored = await this.#refresh();
    // If it fails, the next page completes them. A first visit, without threads, does not load it.
    if (stored.length > 0)
      this.#loadTrash()
        .then((trash) => trash.complete())
        .catch(() => undefined);
    const selected = this.select(this.#thread(selectedId)?.id ?? null);
    if (selectedId !== null && this.#thread(selectedId) === undefined)
      this.state.setState({ failed: { code: 'no-such-thread', detail: selectedId } });
    const goOn = selected.finally(() => this.#goOn());
    const { promise: endShown, resolve } = Promise.withResolvers<void>();
    const unsubscribe = this.state.subscribe(({ opening }) => {
      if (opening !== undefined && opening.length > 0) resolve();
    });
    await Promise.race([goOn, endShown]).finally(unsubscribe);
  }

  /** The workspace of the open thread, or of the new thread. */
  get workspaceId(): string {
    const { selectedId, draftWorkspaceId } = this.state.getState();
    return (
      this.#thread(selectedId)?.workspaceId ?? draftWorkspaceId ?? this.#options.workspaces.state.getState().draftId
    );
  }

  /** Shows a new thread, still without messages, in an existing workspace or, with null, in its own. */
  async continueIn(workspaceId: string | null): Promise<void> {
    await this.select(null, workspaceId);
  }

  /**
   * Opens a thread or, with null, a new one, in the workspace `draftWorkspaceId` or, with null, in its own. If opening fails,
   * `failed` in the state says why, and the thread's newest messages remain in view.
   */
  async select(id: string | null, draftWorkspaceId: string | null = null): Promise<void> {
    this.#selections++;
    this.state.setState({
      draftId: this.#draftIdFor(draftWorkspaceId),
      selectedId: id,
      session: undefined,
      opening: undefined,
      failed: undefined,
      unsent: undefined,
      draftWorkspaceId,
    });
    if (id === null) return;
    if (!this.#sessions.has(id)) {
      // The code that is needed next loads meanwhile; if it cannot, opening the thread says so.
      loadThreadCode().catch(() => undefined);
      await this.#showEnd(id);
    }
    try {
      const session = await this.#session(id);
      if (this.state.getState().selectedId === id) this.state.setState({ session, opening: undefined });
    } catch (error) {
      if (this.state.getState().selectedId === id) this.state.setState({ failed: problemOf(error) });
    }
  }

  /**
   * Returns the id for the next new thread in a workspace: the present draft's id, or a new one if the draft or the workspace
   * is temporary and they do not belong together. A temporary draft is then given up, with its files unless another thread uses
   * them.
   */
  #draftIdFor(workspaceId: string | null): string {
    const { draftId, draftWorkspaceId } = this.state.getState();
    const becomesTemporary = workspaceId !== null && isTemporary(workspaceId);
    const wasTemporary = isTemporary(draftId);
    if (becomesTemporary === wasTemporary && (!wasTemporary || draftWorkspaceId === workspaceId)) return draftId;
    if (wasTemporary && draftWorkspaceId !== null) {
      this.#options.onDeleted(draftId);
      const users = [...this.state.getState().threads.map((thread) => thread.workspaceId), ...this.#creating.values()];
      if (!users.includes(draftWorkspaceId)) void this.#options.workspaces.remove(draftWorkspaceId);
    }
    return newThreadId(workspaceId);
  }

  /** Shows the newest messages of a thread while the rest is still to be read. */
  async #showEnd(id: string): Promise<void> {
    const headId = this.#thread(id)?.headId ?? null;
    if (headId === null) return;
    // If they cannot be read now, opening the thread says why.
    const end = await this.#options.store.branchEnd(id, headId, OPENING_MESSAGES).catch(() => []);
    const { selectedId, session } = this.state.getState();
    if (selectedId === id && session === undefined) this.state.setState({ opening: end.map(({ message }) => message) });
  }

  /** Changes the settings of the open thread, or of the next new one. */
  async changeSettings(
    change: Partial<ThreadSettings> | ((settings: ThreadSettings) => Partial<ThreadSettings>),
  ): Promise<void> {
    const changed = (settings: ThreadSettings) => ({
      ...settings,
      ...(typeof change === 'function' ? change(settings) : change),
    });
    const { selectedId, draft } = this.state.getState();
    if (selectedId === null) this.state.setState({ draft: changed(draft) });
    else
      await this.#options.store.updateThread(selectedId, (thread) => ({
        ...thread,
        settings: changed(thread.settings),
      }));
  }

  /**
   * Sends a message in the open thread, or in a new one. `prepare`: returns the message to send in its place, for instance once
   * its files are in the workspace. A message that cannot be sent is put into the state as `unsent`, as it was given.
   */
  async send(
    message: UserMessage,
    prepare?: (workspaceId: string, message: UserMessage) => Promise<UserMessage>,
  ): Promise<void> {
    const { selectedId, draftId } = this.state.getState();
    this.state.setState({ unsent: undefined });
    const unstored: UnstoredMessage = [selectedId ?? draftId, { message, isFirst: selectedId === null }];
    this.unstored.add(unstored);
    const prepared = async (workspaceId: string) => (prepare === undefined ? message : prepare(workspaceId, message));
    const send = () => this.#send(selectedId, message, prepared).finally(() => this.unstored.delete(unstored));
    if (selectedId === null) return send();
    const queue = this.#sending.get(selectedId) ?? new SerialQueue();
    this.#sending.set(selectedId, queue);
    await queue.run(send);
    if (!queue.isBusy) this.#sending.delete(selectedId);
  }

  async #send(
    selectedId: string | null,
    message: UserMessage,
    prepared: (workspaceId: string) => Promise<UserMessage>,
  ): Promise<void> {
    let session: ThreadSession | undefined;
    try {
      if (selectedId === null) return await this.#create(prepared);
      session = await this.#session(selectedId);
      // An archived thread that the user continues returns to the list.
      if (this.#thread(selectedId)?.archivedAt !== undefined)
        await this.update(session.threadId, { archivedAt: undefined });
      await session.send(await prepared(session.getSnapshot().thread.workspaceId));
    } catch (error) {
      if (session?.getSnapshot().tree.get(message.id) !== undefined) throw error;
      this.state.setState({ unsent: { message, problem: problemOf(error) } });
    }
  }

  /**
   * Sends an edited message in the open thread; does nothing if none is open. A message that the user cancels, or that cannot
   * be sent, is put into the state as `unsent`.
   */
  async edit(messageId: string, message: UserMessage): Promise<void> {
    const { selectedId } = this.state.getState();
    if (selectedId === null) return;
    const handBack = (problem?: Problem) => {
      if (this.state.getState().selectedId === selectedId)
        this.state.setState({ unsent: { message, ...defined({ problem }) } });
    };
    let session: ThreadSession | undefined;
    try {
      session = await this.#session(selectedId);
      if (!(await session.edit(messageId, message))) handBack();
    } catch (error) {
      if (session?.getSnapshot().tree.get(message.id) !== undefined) throw error;
      handBack(problemOf(error));
    }
  }

  /**
   * Creates a thread with the draft's settings and its first message, which are stored together, and opens it unless the
   * user has opened another one meanwhile. If the thread cannot be stored, the draft keeps its id and its parameters.
   */
  async #create(prepared: (workspaceId: string) => Promise<UserMessage>): Promise<void> {
    const { draftId, draftWorkspaceId, draft } = this.state.getState();
    const selection = this.#selections;
    // At once: whatever is sent meanwhile goes to a thread of its own, temporary if this one is.
    const nextId = newThreadId(draftWorkspaceId);
    this.state.setState({ draftId: nextId });
    this.#creating.set(draftId, this.workspaceId);
    const runId = crypto.randomUUID();
    let isStored = false;
    try {
      const thread = { ...(await this.#newThread()), id: draftId };
      const complete = await prepared(thread.workspaceId);
      const { withFirstMessage } = await loadThreadCode();
      await this.#options.store.addThread(withFirstMessage(thread, complete, runId));
      isStored = true;
      await this.#refresh();
    } catch (error) {
      const { draftId: current, draft: since } = this.state.getState();
      // The settings of this thread alone are still there, unless others were chosen since.
      if (!isStored && current === nextId) this.state.setState({ draftId, draft: { ...draft, ...since } });
      throw error;
    } finally {
      this.#creating.delete(draftId);
    }
    const session = await this.#session(draftId, runId).catch(() => undefined);
    if (this.#selections !== selection) return;
    if (session !== undefined) this.state.setState({ selectedId: draftId, session });
    // The message is stored, but its thread cannot be opened: say why.
    else await this.select(draftId);
  }

  /** Stores the thread that `complete` makes from an empty one, and opens it. */
  async add(complete: (empty: Thread) => WholeThread): Promise<void> {
    // It lasts, so it cannot use the files of a temporary thread.
    if (isTemporary(this.workspaceId)) await this.select(null);
    const whole = complete(await this.#newThread());
    await this.#options.store.addThread(whole);
    await this.#refresh();
    await this.select(whole.thread.id);
  }

  async #newThread(): Promise<Thread> {
    const { workspaceId } = this;
    const { draft, draftGrants, draftWorkspaceId } = this.state.getState();
    // Keep the files visible until the thread exists.
    // Settings that were chosen for this thread alone do not apply to the next one.
    const { parameters: _, reviews: __, ...general } = draft;
    this.state.setState({ draftWorkspaceId: workspaceId, draft: general, draftGrants: [] });
    if (draftWorkspaceId === null) await this.#options.workspaces.takeDraft();
    const { emptyThread } = await loadThreadCode();
    return emptyThread({ workspaceId, settings: draft, grants: draftGrants });
  }

  /** Updates a stored thread with the given values, or with a function of the stored thread. */
  async update(id: string, change: Partial<Thread> | ((stored: Thread) => Partial<Thread>)): Promise<void> {
    await this.#options.store.updateThread(id, (stored) => ({
      ...stored,
      ...(typeof change === 'function' ? change(stored) : change),
    }));
  }

  /** Stops acting for all threads in this tab, as if it was closed. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all([...this.#sessions.keys()].map((id) => this.#closeSession(id)));
  }

  /**
   * Removes threads from the list and, if requested, the workspaces that no other threads use. All of it is deleted for
   * good after `UNDO_DELETE_MS`, and can be restored in one step until then.
   */
  async delete(ids: readonly string[], { deletesWorkspace }: { deletesWorkspace: boolean }): Promise<void> {
    const threads = ids.flatMap((id) => this.#thread(id) ?? []);
    if (threads.length === 0) return;
    for (const { id } of threads) {
      // Stop a running tool, but let pending calls stay pending: the thread may be restored.
      const session = await this.#sessions.get(id);
      if (session !== undefined && session.getSnapshot().runningCalls.length > 0) await session.stop();
    }
    const { selectedId } = this.state.getState();
    await (await this.#loadTrash()).put(threads, deletesWorkspace);
    await Promise.all(threads.map(({ id }) => this.#closeSession(id)));
    await this.#refresh();
    this.#reopens = threads.length === 1 ? threads[0]?.id : threads.find(({ id }) => id === selectedId)?.id;
    if (this.#reopens !== undefined && this.state.getState().selectedId === this.#reopens) await this.select(null);
  }

  /** Restores what was deleted last. One thread is opened again; of several, the one that was open. */
  async undoDelete(): Promise<void> {
    const restored = await (await this.#loadTrash()).restore();
    await this.#refresh();
    const reopened = restored.find(({ id }) => id === this.#reopens);
    if (reopened !== undefined) await this.select(reopened.id);
  }

  #thread(id: string | null): Thread | undefined {
    return this.state.getState().threads.find((thread) => thread.id === id);
  }

  /** Resumes the activity of threads that are not open. */
  #goOn(): void {
    for (const { id, activity } of this.state.getState().threads) if (activity !== 'settled') void this.#session(id);
  }

  #session(id: string, newRun?: string): Promise<ThreadSession> {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const opening = this.#openSession(id, newRun);
    this.#sessions.set(id, opening);
    // The caller gets the error; the next call opens it again.
    opening.catch(() => this.#sessions.delete(id));
    return opening;
  }

  async #openSession(id: string, newRun?: string): Promise<ThreadSession> {
    const loading = loadThreadCode();
    const store = await this.#options.storeOf(id);
    const [thread, { ThreadSession }] = await Promise.all([store.thread(id), loading]);
    if (thread === undefined) throw new Error(`There is no thread ${id}.`);
    return ThreadSession.open(thread, { ...this.#options, store }, newRun);
  }

  async #closeSession(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await (await session)?.close();
  }

  /**
   * Shows the threads as they are stored, and resolves with them, deleted ones included. Closes the sessions of threads that
   * another tab has deleted.
   */
  async #refresh(): Promise<readonly Thread[]> {
    const stored = await this.#options.store.threads();
    const threads = stored.filter(({ deletedAt }) => deletedAt === undefined).sort((a, b) => b.updatedAt - a.updatedAt);
    this.state.setState({ threads });
    // Deleted in another tab: anything written to it here would be lost.
    for (const id of this.#sessions.keys()) if (this.#thread(id) === undefined) void this.#closeSession(id);
    const { selectedId } = this.state.getState();
    if (selectedId !== null && this.#thread(selectedId) === undefined) await this.select(null);
    return stored;
  }
}
