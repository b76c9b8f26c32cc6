import { takeConsoleRoom } from './console.ts';
import { placesIn, renderError } from './errors.ts';
import { global } from './primordials.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/**
 * Reports errors and rejections that nothing catches in a window or a worker to the studio, unless the console is full (see
 * `takeConsoleRoom`).
 */
export function listenForErrors(): void {
  global.addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    if (!takeConsoleRoom()) return;
    const thrown = renderError(error ?? new Error(message));
    const at = state.isPage && thrown.at === undefined ? placesIn(`${filename}:${lineno}:${colno}`) : [];
    send({ type: 'uncaught', run: state.run, ...thrown, ...(at.length > 0 && { at }) });
  });
  global.addEventListener('unhandledrejection', ({ reason }) => reportUncaught(reason));
}

/** Reports to the studio something thrown that nothing catches, unless the console is full (see `takeConsoleRoom`). */
export function reportUncaught(thrown: unknown): void {
  if (takeConsoleRoom()) send({ type: 'uncaught', run: state.run, ...renderError(thrown) });
}
