import type { Given } from './given.ts';
import { pathOf } from './path-of.ts';

/** The first message to a worker. */
interface Start {
  /** Identifies the message as coming from this code. */
  key: string;
  code: string;
  console: MessagePort;
}

type Level = 'debug' | 'log' | 'info' | 'warn' | 'error';

/**
 * Replaces `Worker` in a previewed page, so that the page can also start workers from scripts of the workspace. Their addresses
 * are relative to the page, as usual. `bundle` asks the studio for a script with all its imports. The worker exists at once,
 * and keeps messages until it gets the script; if the script cannot be bundled, the worker has an `error` event. The worker's
 * console output and uncaught errors are shown as those of the page.
 */
export function defineWorkers({ bundle }: Given): void {
  const printed: Record<Level, (...values: unknown[]) => void> = console;
  window.Worker = new Proxy(window.Worker, {
    construct(target, [address, options]: [string | URL, WorkerOptions?]) {
      const path = pathOf(String(address));
      if (path === undefined) return new target(address, options);
      const key = crypto.randomUUID();
      const source = new Blob([`(${waitForScript})(${JSON.stringify(key)})`], { type: 'text/javascript' });
      const worker = new target(URL.createObjectURL(source), { ...options, type: 'classic' });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: { level, values } }: MessageEvent<{ level: Level; values: unknown[] }>) =>
        printed[level](...values);
      worker.addEventListener('error', (event) => {
        // Wait for the page's own listeners, which run after this one.
        setTimeout(() => event instanceof ErrorEvent && !event.defaultPrevented && reportErrorOf(event));
      });
      bundle(path).then(
        (code) => worker.postMessage({ key, code, console: port2 } satisfies Start, [port2]),
        // The studio reports the reason.
        () => worker.dispatchEvent(new Event('error')),
      );
      return worker;
    },
  });
}

/** Reports a worker's error as an error of the page, with its position in the worker's script. */
function reportErrorOf({ message, filename, lineno, colno }: ErrorEvent): void {
  window.dispatchEvent(new ErrorEvent('error', { message, filename, lineno, colno }));
}

/** Runs in the worker: keeps the page's messages until the script arrives, then runs the script and delivers the messages. */
function waitForScript(key: string): void {
  const waiting: MessageEvent[] = [];
  const take = (event: MessageEvent<Partial<Start> | null>) => {
    event.stopImmediatePropagation();
    const { data } = event;
    if (data?.key !== key || data.code === undefined) {
      waiting.push(event);
      return;
    }
    removeEventListener('message', take);
    for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const)
      console[level] = (...values: unknown[]) => {
        try {
          data.console?.postMessage({ level, values });
        } catch {
          // Some values, such as functions, cannot be sent.
          data.console?.postMessage({ level, values: values.map(String) });
        }
      };
    // biome-ignore lint/security/noGlobalEval: a script of the page, in the page's own sandbox
    // biome-ignore lint/complexity/noCommaOperator: evaluates in the global scope
    (0, eval)(data.code);
    for (const { data: said, ports } of waiting)
      dispatchEvent(new MessageEvent('message', { data: said, ports: [...ports] }));
  };
  addEventListener('message', take);
}
