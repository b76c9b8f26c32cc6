import { defined } from '#lib/base/defined.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import type { AssistantMessage, Message } from '#lib/messages/message.ts';
import type { CallForm } from '#lib/tools/core/call-form.ts';
import type { CallProgress, ToolCall } from '#lib/tools/core/tool-call.ts';
import { type MessageNode, MessageTree, withMissing } from './message-tree.ts';
import type { Thread, ThreadActivity } from './thread.ts';
import { StorageError, type ThreadStore } from './thread-store.ts';

/** The interval between two saves of a turn that is being written, in milliseconds. */
const SAVE_EVERY_MS = 250;

/**
 * A form with which a call asks the person for something; a call shows one at a time. `id`: differs for each form, so that the
 * view of one does not keep what was entered in another.
 */
export type ShownForm = CallForm & { id: string };

/** The state of a thread for its views. A new object after each change; unchanged parts keep their identity. */
export interface ThreadSnapshot {
  thread: Thread;
  tree: MessageTree;
  /** The open branch, oldest first. */
  branch: readonly Message[];
  /** `opening`: not known yet. `actor`: this tab acts for the thread. `mirror`: another tab does, and this one shows it. */
  role: 'opening' | 'actor' | 'mirror';
  /** Whether the turn is in progress: the server is producing output, or tools are running or waiting. */
  busy: boolean;
  /** Ids of the calls that are waiting for the user. */
  asking: readonly string[];
  /** Inner calls that need permission, by the id of the outer call that made them. */
  innerCalls: ReadonlyMap<string, ToolCall>;
  /** The forms in which running calls ask the person, by the ids of the calls. */
  forms: ReadonlyMap<string, ShownForm>;
  /** Ids of the calls that are running. */
  runningCalls: readonly string[];
  /** The progress of running calls, by their ids, as far as they report it. */
  progress: ReadonlyMap<string, CallProgress>;
  /** When the server became unreachable, in milliseconds since the epoch; undefined while it is reachable. */
  offlineSince: number | undefined;
}

interface ThreadRecordOptions {
  store: ThreadStore;
  /** Checks whether this tab may store a turn; while another tab acts for the thread, only that tab does. */
  maySave(): boolean;
  /** The ids of a waiting turn's calls for which the acting tab, which is not this one, asks for permission. */
  askedElsewhere(turn: AssistantMessage): string[];
}

/** This tab's state of one thread, and its access to storage: changes show immediately and are stored in order. */
export class ThreadRecord {
  readonly #options: ThreadRecordOptions;
  readonly #listeners = new Set<() => void>();
  #snapshot: ThreadSnapshot;
  #unsaved: { message: AssistantMessage; timer: ReturnType<typeof setTimeout> } | undefined;
  readonly #saving = new SerialQueue();
  /** Ids of turns whose latest states could not be stored. */
  readonly #unstored = new Set<string>();
  /** This tab’s id in `Thread.actor`; undefined if it has not taken the thread over, or could not store that. */
  #actor: string | undefined;

  constructor(thread: Thread, tree: MessageTree, options: ThreadRecordOptions) {
    this.#options = options;
    this.#snapshot = {
      thread,
      tree,
      branch: tree.branch(thread.headId),
      role: 'opening',
      busy: false,
      asking: [],
      innerCalls: new Map(),
      forms: new Map(),
      runningCalls: [],
      progress: new Map(),
      offlineSince: undefined,
    };
  }

  get snapshot(): ThreadSnapshot {
    return this.#snapshot;
  }

  /** The turn at the end of the open branch; undefined if the branch is empty or ends with a user message. */
  get turn(): AssistantMessage | undefined {
    const last = this.#snapshot.branch.at(-1);
    return last?.role === 'assistant' ? last : undefined;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the snapshot and notifies the listeners. Derived state (such as the branch and whether it is busy) is updated
   * automatically.
   */
  update(change: Partial<ThreadSnapshot>): void {
    const next = { ...this.#snapshot, ...change };
    if (next.tree !== this.#snapshot.tree || next.thread.headId !== this.#snapshot.thread.headId) {
      next.branch = next.tree.branch(next.thread.headId);
    }
    const last = next.branch.at(-1);
    const turn = last?.role === 'assistant' ? last : undefined;
    const status = turn?.status.type;
    next.busy = change.busy ?? (status === 'running' || status === 'waiting');
    if (next.role === 'mirror')
      next.asking = turn !== undefined && status === 'waiting' ? this.#options.askedElsewhere(turn) : [];
    this.#snapshot = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * Stores new messages, of which the last becomes the end of the open branch, and changes the thread, all at once; then
   * shows them. Rejects with `StorageError`; then none of it is stored or shown. If storing earlier turns has failed, it
   * is tried again afterwards.
   */
  async append(nodes: readonly MessageNode[], change: Partial<Thread> = {}): Promise<void> {
    const { id, headId, chosen } = this.#snapshot.thread;
    const withNew = nodes.reduce((tree, node) => tree.with(node), this.#snapshot.tree);
    const end = nodes.at(-1)?.message.id ?? headId;
    const next = { ...change, headId: end, chosen: withNew.choose(end, this.#snapshot.tree.choose(headId, chosen)) };
    const thread = await this.#options.store.appendMessages(id, nodes, (stored) => ({ ...stored, ...next }));
    if (thread === undefined) throw new StorageError('failed', new Error('This thread has been deleted.'));
    // Others may have written to the tree meanwhile.
    this.update({ thread, tree: nodes.reduce((tree, node) => tree.with(node), this.#snapshot.tree) });
    if (this.#unstored.size > 0)
      void import('./settle-turn.ts').then(
        ({ storeAgain }) =>
          storeAgain(this.#unstored, this.#snapshot, this.#options.store, (turn) => this.#write(turn)),
        // Without this code, the next message tries again.
        () => undefined,
      );
  }

  /**
   * Stores `message` as another version of the message `of`, without opening it. Does nothing if another tab acts for the
   * thread. Rejects with `StorageError`.
   */
  async addVersion(of: string, message: AssistantMessage): Promise<void> {
    const node = { message, parentId: this.#snapshot.tree.get(of)?.parentId ?? null };
    if (!this.#options.maySave()) return;
    const withNew = this.#snapshot.tree.with(node);
    // Among several versions, the open one is no longer found as the only one.
    const thread = await this.#options.store.appendMessages(this.#snapshot.thread.id, [node], (stored) => ({
      ...stored,
      chosen: withNew.choose(stored.headId, stored.chosen),
    }));
    if (thread !== undefined) this.update({ thread, tree: this.#snapshot.tree.with(node) });
  }

  /** Shows a turn, but does not store it. */
  setTurn(message: AssistantMessage): void {
    const parentId = this.#snapshot.tree.get(message.id)?.parentId ?? null;
    this.update({ tree: this.#snapshot.tree.with({ message, parentId }) });
  }

  /** Shows a turn that is being written, and stores it periodically. */
  showTurn(message: AssistantMessage): void {
    this.setTurn(message);
    if (this.#unsaved !== undefined) this.#unsaved.message = message;
    // If storing fails, the next piece tries again; a lasting failure is reported at the end of the turn.
    else this.#unsaved = { message, timer: setTimeout(() => this.flush().catch(() => undefined), SAVE_EVERY_MS) };
  }

  /** Shows a turn immediately; resolves when it is stored. */
  async saveTurn(message: AssistantMessage): Promise<void> {
    this.setTurn(message);
    this.#dropUnsaved();
    await this.#write(message);
  }

  /** Stores the turn that `showTurn` has shown but not yet stored; resolves when no write is pending. */
  async flush(): Promise<void> {
    const unsaved = this.#unsaved;
    this.#dropUnsaved();
    if (unsaved !== undefined && this.#options.maySave()) await this.#write(unsaved.message);
    else await this.#saving.idle();
  }

  /** Stores a change of the thread and shows it. Resolves with the stored thread; undefined if it is not in the store. */
  async saveThread(change: Partial<Thread> | ((stored: Thread) => Partial<Thread>)): Promise<Thread | undefined> {
    const { id } = this.#snapshot.thread;
    const thread = await this.#options.store.updateThread(id, (stored) => ({
      ...stored,
      ...(typeof change === 'function' ? change(stored) : change),
    }));
    if (thread !== undefined) this.update({ thread });
    return thread;
  }

  /** Stores the thread's activity, if it has changed, and with it the model of the turn's last step. */
  async saveActivity(activity: ThreadActivity): Promise<void> {
    if (this.#snapshot.thread.activity === activity) return;
    const step = this.turn?.parts.findLast((part) => part.type === 'step');
    await this.saveThread({ activity, ...defined({ lastModel: step?.model }) });
  }

  /**
   * Stores this tab as the actor of the thread (rule R4): from then on, the store refuses turns that the previous actor, which
   * may only be asleep, still wants to store.
   */
  async takeOver(): Promise<void> {
    this.#dropUnsaved();
    this.#unstored.clear();
    this.#actor = undefined;
    const actor = crypto.randomUUID();
    // A thread that is not stored yet has no other actor.
    if ((await this.saveThread({ actor })) !== undefined) this.#actor = actor;
  }

  #dropUnsaved(): void {
    clearTimeout(this.#unsaved?.timer);
    this.#unsaved = undefined;
  }

  /** Reads the thread from the store again and shows it, without its messages. Does nothing if it is not stored. */
  async reloadThread(): Promise<void> {
    const thread = await this.#options.store.thread(this.#snapshot.thread.id);
    if (thread !== undefined) this.update({ thread });
  }

  /**
   * Ends turns that are stored as unfinished although messages follow them: the ends of these turns could not be stored, and
   * nobody looks for the ends of their runs any more. Stores them with the results that the ledger has.
   */
  async settleEarlier(): Promise<void> {
    const { tree } = this.#snapshot;
    const answered = new Set(tree.nodes().map(({ parentId }) => parentId));
    for (const { message } of tree.nodes())
      if (message.role === 'assistant' && answered.has(message.id) && /running|waiting/.test(message.status.type)) {
        const { settleWithResults } = await import('./settle-turn.ts');
        await this.saveTurn(await settleWithResults(message, this.#options.store));
      }
  }

  /** Reads the thread's messages from the store again and shows them. */
  async reloadMessages(): Promise<void> {
    const nodes = await this.#options.store.messages(this.#snapshot.thread.id);
    this.update({ tree: new MessageTree(withMissing(nodes, this.#snapshot.thread.headId)) });
  }

  /** Stores a turn, one write at a time, in order. Until it is stored, its id is in `#unstored`. */
  #write(message: AssistantMessage): Promise<void> {
    const parentId = this.#snapshot.tree.get(message.id)?.parentId ?? null;
    const { id } = this.#snapshot.thread;
    const actor = this.#actor;
    this.#unstored.add(message.id);
    return this.#saving.run(async () => {
      await this.#options.store.putMessages(id, [{ message, parentId }], actor);
      this.#unstored.delete(message.id);
    });
  }
}
