'use client';

import { createContext, useCallback, useContext, useEffect, useState } from 'react';

/**
 * The states, by name, that views in the message rows of a thread keep while their row is not in the document, such as
 * whether something is open. Also names the part of a message to reveal, and the rows that must stay in the document.
 */
export class KeptStates {
  readonly #states = new Map<string, unknown>();
  readonly #listeners = new Set<() => void>();
  #pinned: readonly string[] = [];
  #revealed: string | undefined;
  /** The names of the states that have already shown the revealed part. */
  #followed = new Set<string>();

  has(name: string): boolean {
    return this.#states.has(name);
  }

  get(name: string): unknown {
    return this.#states.get(name);
  }

  set(name: string, value: unknown): void {
    this.#states.set(name, value);
  }

  /** Makes views that hide a part of a message show it, now and when its row comes into the document. `part`: its name. */
  reveal(part: string): void {
    this.#revealed = part;
    this.#followed = new Set();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Checks whether one of a state's parts is to be revealed. True once per `reveal`, so that it can be hidden again. */
  takeRequest(name: string, parts: readonly string[]): boolean {
    if (this.#revealed === undefined || !parts.includes(this.#revealed) || this.#followed.has(name)) return false;
    this.#followed.add(name);
    return true;
  }

  /** The ids of the messages whose rows must stay in the document; the same array until it changes. */
  pinned = (): readonly string[] => this.#pinned;

  /** Keeps a message's row in the document until the returned function is called. */
  pin(messageId: string): () => void {
    const set = (pinned: readonly string[]) => {
      this.#pinned = pinned;
      for (const listener of [...this.#listeners]) listener();
    };
    set([...this.#pinned, messageId]);
    return () => set(this.#pinned.toSpliced(this.#pinned.indexOf(messageId), 1));
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** The number of threads whose states are kept: more than anyone switches between. */
const THREADS_MAX = 100;

/**
 * The `KeptStates`, which are the states of views in message rows, of the threads that were used last, at most
 * `THREADS_MAX`. Those of a thread are created when they are first asked for.
 */
export class KeptThreads {
  readonly #threads = new Map<string, KeptStates>();

  of(threadId: string): KeptStates {
    const known = this.#threads.get(threadId) ?? new KeptStates();
    // The newest are last.
    this.#threads.delete(threadId);
    this.#threads.set(threadId, known);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > THREADS_MAX && oldest !== undefined) this.#threads.delete(oldest);
    return known;
  }
}

export const KeptStatesContext = createContext<KeptStates | undefined>(undefined);

/** Like React's `useState`, for views inside a row: keeps the state under `name` while the row is not in the document. */
export function useKeptState<T>(name: string, initial: T): [T, (value: T) => void] {
  const kept = useContext(KeptStatesContext);
  const [value, setValue] = useState<T>(() => (kept?.has(name) ? (kept.get(name) as T) : initial));
  const set = useCallback(
    (next: T) => {
      kept?.set(name, next);
      setValue(next);
    },
    [kept, name],
  );
  return [value, set];
}

/** Keeps the row of a message in the document while the view that calls this is in it. */
export function usePinnedRow(messageId: string): void {
  const kept = useContext(KeptStatesContext);
  useEffect(() => kept?.pin(messageId), [kept, messageId]);
}

/**
 * Calls `onReveal` when a part that a view may hide should be shown, for instance because text was found in it. `name`: the
 * name of the view's state. `parts`: the names of the parts that it may hide.
 */
export function useReveal(name: string, parts: readonly string[], onReveal: () => void): void {
  const kept = useContext(KeptStatesContext);
  useEffect(() => {
    if (kept === undefined) return;
    const look = () => {
      if (kept.takeRequest(name, parts)) onReveal();
    };
    look();
    return kept.subscribe(look);
  });
}
