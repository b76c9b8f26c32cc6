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

/** Makes views whose code failed to load try again. Called once an `ErrorBoundary` has caught the failure. */
export function forgetFailedLoads(): void {
  for (const forget of failed) forget();
  failed.clear();
}

/**
 * Like React's `lazy`, but a failed load, for instance during a server restart, is retried. The failure persists until an
 * `ErrorBoundary` has caught it: a load started again while React is still rendering would never end.
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

/** Makes `load` try again until it succeeds, for views without which the page still works. Never rejects. */
export function patiently<T>(load: () => Promise<T>): () => Promise<T> {
  const attempt = (): Promise<T> =>
    load().catch(() => new Promise<T>((resolve) => setTimeout(() => resolve(attempt()), RETRY_MS)));
  return attempt;
}
