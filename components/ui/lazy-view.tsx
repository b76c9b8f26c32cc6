'use client';

import { type ComponentType, createElement, use } from 'react';
import { loadLaterTexts } from '#components/i18n/use-all-messages.ts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A view whose code is loaded when it is first shown, together with the texts that such views use. */
interface LazyView<Props> {
  (props: Props): React.ReactNode;
  /** Loads the code in advance. Never rejects: after a failure, the next use tries again. */
  preload(): Promise<unknown>;
}

const failed = new Set<() => void>();

/** Makes views whose code failed to load try again when next rendered. Called when an `ErrorBoundary` has caught a failure. */
export function forgetFailedLoads(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * Like React's `lazy`, but after a failed load, for instance during a server restart, the view loads again when it is next
 * rendered. The failure persists until an `ErrorBoundary` has caught it: a load started again while React is still rendering
 * would never end. The view's `preload` loads its code in advance.
 */
export function lazyView<Props extends object>(load: Load<Props>): LazyView<Props> {
  let loading: ReturnType<Load<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const forget = (): void => {
    loading = undefined;
  };
  const start = (): ReturnType<Load<Props>> => {
    if (loading === undefined) {
      loading = Promise.all([load(), loadLaterTexts()]).then(([module]) => {
        loaded = module.default;
        return module;
      });
      loading.catch(() => failed.add(forget));
    }
    return loading;
  };
  // Not `use` once it is loaded: even a settled promise may show the fallback for a moment.
  const View = (props: Props) => createElement(loaded ?? use(start()).default, props);
  View.preload = () => start().catch(forget);
  return View;
}

/** The time to wait before another attempt to load, in milliseconds. */
const RETRY_MS = 3_000;

/**
 * Returns a function that calls `load` again and again, `RETRY_MS` after each failure, until it succeeds, and never rejects. It
 * is for views without which the page still works.
 */
export function retriedUntilLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  const attempt = (): Promise<T> =>
    load().catch(() => new Promise<T>((resolve) => setTimeout(() => resolve(attempt()), RETRY_MS)));
  return attempt;
}
