'use client';

import { type ComponentType, createElement, use } from 'react';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A view whose code is loaded when it is first shown. */
export interface LazyView<Props> {
  (props: Props): React.ReactNode;
  /** Loads the code ahead of its use. A failure is forgotten: the next use tries again. */
  preload(): Promise<unknown>;
}

/** Like React's `lazy`, but a load that failed, for instance while the server was restarted, is tried again. */
export function lazyView<Props extends object>(load: Load<Props>): LazyView<Props> {
  let loading: ReturnType<Load<Props>> | undefined;
  const start = (): ReturnType<Load<Props>> => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const View = (props: Props) => createElement(use(start()).default, props);
  View.preload = () => start().catch(() => undefined);
  return View;
}
