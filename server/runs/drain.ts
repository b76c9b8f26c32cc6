import { delay } from '#lib/base/delay.ts';
import type { Log } from '#log/log.ts';

/** The shortest time between the signal and the end of the process, in milliseconds, so that load balancers notice it. */
const NOTICE_MS = 5_000;

/** The longest time for what is open to be closed, in milliseconds. */
const CLOSE_MS = 3_000;

/** The time for the last chunks of answers to reach the browsers, in milliseconds. */
const SENT_MS = 500;

/** The services of a process, as far as they matter at its end. */
interface Endable {
  log: Log;
  /** Starts no more runs, and resolves once all have ended. */
  drain(): Promise<void>;
  /** Closes databases and ends programs. */
  close(): Promise<void>;
}

const KEY = Symbol.for('roundtrip-studio.end');
/** Parts of the server are bundled separately, so they share this through `globalThis`. */
const holder = globalThis as typeof globalThis & { [KEY]?: { isDraining: boolean; services?: Endable } };

function shared(): { isDraining: boolean; services?: Endable } {
  holder[KEY] ??= { isDraining: false };
  return holder[KEY];
}

/** Checks whether the process has received SIGTERM, so that it starts no more runs and ends soon. */
export const isDraining = (): boolean => shared().isDraining;

/**
 * Sets the services that are drained (they begin no new runs and wait for the running ones) and then closed before the process
 * ends (see `endWhenAsked`).
 */
export function setEndable(services: Endable): void {
  shared().services = services;
}

/**
 * Sets the handlers of the signals that end the process. On SIGTERM, running answers first have `drainMs` milliseconds to end;
 * no new ones begin, and `/readyz` says so. Browsers repeat the steps that are cut after that on another process. On SIGINT, or
 * on a second SIGTERM, no answer is waited for: the process closes its services, and ends. Replaces Next.js's own handlers,
 * which must be turned off.
 */
export function endWhenAsked(drainMs: number): void {
  process.on('SIGINT', () => void end());
  process.on('SIGTERM', () => {
    if (isDraining()) return void end();
    shared().isDraining = true;
    void drained(drainMs).then(end);
  });
}

async function drained(drainMs: number): Promise<void> {
  const { services } = shared();
  services?.log.info({ seconds: drainMs / 1_000 }, 'draining');
  await Promise.race([delay(drainMs), Promise.all([delay(Math.min(NOTICE_MS, drainMs)), services?.drain()])]);
  await delay(SENT_MS);
}

async function end(): Promise<void> {
  await Promise.race([shared().services?.close(), delay(CLOSE_MS)]);
  process.exit(0);
}
