import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { coalesced } from '#lib/base/coalesced.ts';
import { defined } from '#lib/base/defined.ts';
import { timeSchema } from '#lib/messages/message.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import {
  EGRESS_DECISIONS,
  type EgressDecision,
  type EgressRecord,
  type EgressRequest,
} from '#lib/tools/egress/egress.ts';
import { outerCallId } from '#lib/tools/execution/inner-call.ts';
import { EGRESS_LIMITS } from '#lib/tools/web/limits.ts';

const KEY = 'egress-ledger';

/**
 * The key of the time at which all entries were deleted, so that other tabs drop older ones that they have not stored yet. The
 * time is in milliseconds since the epoch.
 */
const CLEARED_KEY = 'egress-ledger-cleared';

/** The key in the local storage under which a page that ends leaves entries that there is no time to store. */
const LEFT_KEY = 'roundtrip-studio:egress-ledger';

const nameSchema = z.string().max(EGRESS_LIMITS.name);
const bytesSchema = z.number().nonnegative();

const entrySchema = z.object({
  id: z.string().max(100),
  /** The time of the request, in milliseconds since the epoch. */
  at: timeSchema,
  /** The thread whose call it was; '' if that is not known. */
  threadId: nameSchema,
  /** The id of the call. A call that code made has the id of the outer call and a number. */
  toolCallId: nameSchema,
  toolName: nameSchema,
  host: nameSchema,
  sent: bytesSchema,
  received: bytesSchema,
  status: z.int().optional(),
  /** The reason why the call was allowed to send the request; `denied`: the call was not allowed. */
  decision: z.enum([...EGRESS_DECISIONS, 'denied']),
  /** The reason why the request was not sent, or failed; absent if it succeeded. */
  refused: z.string().max(EGRESS_LIMITS.reason).optional(),
});

/**
 * The record of a request that a tool has sent, or was kept from sending. It has the host, but no path, no query, and no
 * content.
 */
export type EgressEntry = z.infer<typeof entrySchema>;

/** Reads stored entries, oldest first. Leaves out those that cannot be read. */
const entriesOf = (stored: unknown): EgressEntry[] =>
  (Array.isArray(stored) ? stored : [])
    .slice(-EGRESS_LIMITS.entries)
    .flatMap((entry) => entrySchema.safeParse(entry).data ?? []);

const idsOf = (entries: readonly EgressEntry[]): ReadonlySet<string> => new Set(entries.map(({ id }) => id));

/** Merges two lists of entries, each entry once, oldest first. Only the newest ones are kept. */
function merged(entries: readonly EgressEntry[], others: readonly EgressEntry[]): EgressEntry[] {
  const known = idsOf(entries);
  return [...entries, ...others.filter(({ id }) => !known.has(id))]
    .sort((one, other) => one.at - other.at)
    .slice(-EGRESS_LIMITS.entries);
}

const isLasting = ({ threadId }: EgressEntry): boolean => !isTemporary(threadId);

/** Reads the entries that earlier pages have left, oldest first. */
function leftEntries(): EgressEntry[] {
  try {
    return entriesOf(JSON.parse(localStorage.getItem(LEFT_KEY) ?? '[]'));
  } catch {
    // The browser refuses access, or the stored data is not from the studio.
    return [];
  }
}

function leaveEntries(entries: readonly EgressEntry[]): void {
  try {
    if (entries.length === 0) localStorage.removeItem(LEFT_KEY);
    else localStorage.setItem(LEFT_KEY, JSON.stringify(entries));
  } catch {
    // More than the browser can store, or nothing at all. What is in the ledger stays there.
  }
}

/** The maximum number of calls that are remembered because they may send requests. */
const CALLS_MAX = 500;

type Call = Pick<EgressEntry, 'threadId' | 'toolCallId' | 'toolName' | 'decision'>;

/**
 * The records of the newest requests of tools, in this browser’s storage; those of temporary threads only in memory. Records
 * that are not stored when the page ends are stored by the next page.
 */
export class EgressLedger {
  /** The entries, newest first. */
  readonly state: StoreApi<readonly EgressEntry[]> = createStore<readonly EgressEntry[]>(() => []);
  readonly #store: ThreadStore;
  /** Calls whose permission was decided, by their ids, newest last. */
  readonly #calls = new Map<string, Call>();
  #stored: EgressEntry[] = [];
  /** Entries that are in memory only, oldest first. */
  #unstored: EgressEntry[] = [];
  /** Stores new entries together after a while, because every change makes all tabs read the ledger again. */
  readonly #storeSoon = coalesced(() => this.#storeAll(), EGRESS_LIMITS.storeMs);
  /** Leaves entries that are not stored for the next page, besides those that were left before. */
  readonly #leave = (): void => leaveEntries(merged(leftEntries(), this.#unstored.filter(isLasting)));

  /**
   * Opens the ledger. A storage that cannot be read counts as empty. `isVolatile`: whether the store forgets everything when
   * the page ends.
   */
  static async open(store: ThreadStore, { isVolatile = false } = {}): Promise<EgressLedger> {
    const ledger = new EgressLedger(store);
    // Entries that earlier pages have left wait for a page that can store them.
    if (!isVolatile) ledger.#unstored = leftEntries();
    await ledger.#read();
    store.subscribe((change) => {
      if (change.type === 'settings') void ledger.#read();
    });
    globalThis.addEventListener?.('pagehide', ledger.#leave);
    if (ledger.#unstored.length > 0) ledger.#storeSoon();
    return ledger;
  }

  private constructor(store: ThreadStore) {
    this.#store = store;
  }

  /** Stops following the page, and leaves entries that are not stored for the next page. */
  close(): void {
    globalThis.removeEventListener?.('pagehide', this.#leave);
    this.#leave();
  }

  /** Returns a record that adds the requests of a thread's calls to this ledger. */
  of(threadId: string): EgressRecord {
    const remember = ({ toolCallId, toolName }: Pick<Call, 'toolCallId' | 'toolName'>, decision: Call['decision']) => {
      const call = { threadId, toolCallId, toolName, decision };
      this.#calls.delete(toolCallId);
      this.#calls.set(toolCallId, call);
      for (const id of this.#calls.keys()) {
        if (this.#calls.size <= CALLS_MAX) break;
        this.#calls.delete(id);
      }
      return call;
    };
    return {
      allowed: (call, decision: EgressDecision) => void remember(call, decision),
      denied: (call, hosts, reason) => {
        const known = remember(call, 'denied');
        for (const host of hosts) this.#add(known, { host, sent: 0, received: 0, refused: reason });
      },
      sent: (toolCallId, request) => this.sent(toolCallId, request),
    };
  }

  /**
   * Adds a request of a call. Its thread and tool are those under which the decision about the call was recorded (see `of`);
   * they are empty if there was none.
   */
  sent(toolCallId: string, request: EgressRequest): void {
    const call = this.#calls.get(toolCallId) ?? this.#calls.get(outerCallId(toolCallId));
    this.#add(call ?? { threadId: '', toolCallId, toolName: '', decision: 'policy' }, request);
  }

  /** Deletes all entries. Rejects with `StorageError`. */
  async clear(): Promise<void> {
    this.#unstored = [];
    leaveEntries([]);
    await this.#store.updateSetting(CLEARED_KEY, () => Date.now());
    await this.#store.deleteSetting(KEY);
    await this.#read();
  }

  /** Deletes the entries of a thread. Rejects with `StorageError`. */
  async forget(threadId: string): Promise<void> {
    const isOther = (entry: EgressEntry) => entry.threadId !== threadId;
    // Some may be on their way into the storage.
    const isKnown = ![...this.#stored, ...this.#unstored].every(isOther);
    this.#unstored = this.#unstored.filter(isOther);
    leaveEntries(leftEntries().filter(isOther));
    if (isKnown) await this.#store.updateSetting(KEY, (stored) => entriesOf(stored).filter(isOther));
    await this.#read();
  }

  #add(call: Call, { host, sent, received, status, refused }: EgressRequest): void {
    const cut = (text: string) => text.slice(0, EGRESS_LIMITS.name);
    const entry: EgressEntry = {
      id: crypto.randomUUID(),
      at: Date.now(),
      decision: call.decision,
      sent,
      received,
      threadId: cut(call.threadId),
      toolCallId: cut(call.toolCallId),
      toolName: cut(call.toolName),
      host: cut(host),
      ...defined({ status, refused: refused?.slice(0, EGRESS_LIMITS.reason) }),
    };
    this.#unstored = [...this.#unstored, entry].slice(-EGRESS_LIMITS.entries);
    this.#show();
    if (!isTemporary(call.threadId)) this.#storeSoon();
  }

  async #storeAll(): Promise<void> {
    const added = this.#unstored.filter(isLasting);
    if (added.length === 0) return;
    try {
      // Another tab may have found the same entries.
      await this.#store.updateSetting(KEY, (stored) => merged(entriesOf(stored), added));
      const done = idsOf(added);
      const isWaiting = ({ id }: EgressEntry) => !done.has(id);
      this.#unstored = this.#unstored.filter(isWaiting);
      leaveEntries(leftEntries().filter(isWaiting));
      await this.#read();
    } catch {
      // They are shown, and stored with the next one, or by the next page, if that succeeds.
    }
  }

  async #read(): Promise<void> {
    try {
      const cleared = timeSchema.safeParse(await this.#store.setting(CLEARED_KEY)).data ?? 0;
      this.#unstored = this.#unstored.filter(({ at }) => at > cleared);
      this.#stored = entriesOf(await this.#store.setting(KEY));
    } catch {
      // The entries that are known stay visible.
    }
    this.#show();
  }

  #show(): void {
    this.state.setState(merged(this.#stored, this.#unstored).reverse(), true);
  }
}
