import { messageOf } from '#lib/base/message-of.ts';
import { Sandbox } from '#lib/sandbox/sandbox.ts';
import { valueText } from '#lib/tools/capabilities/rendered-value.ts';

/** The outcome of a piece of code. */
export interface PieceOutcome {
  text: string;
  /** The longest delay of the page's timers meanwhile, in milliseconds. */
  stallMs: number;
  /** Whether the code ran in a worker, because frames have no thread of their own. */
  hasNoDom: boolean;
}

const sandbox = new Sandbox(undefined);
const NO_FILES = () => Promise.reject(new Error('no files'));
const TICK_MS = 10;

/** Runs pieces of code one after the other in one session, as the studio does. */
async function runPieces(pieces: readonly { code: string; timeout?: number }[]): Promise<PieceOutcome[]> {
  const session = sandbox.session('firefox');
  const outcomes: PieceOutcome[] = [];
  for (const { code, timeout = 30 } of pieces) {
    let stallMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      stallMs = Math.max(stallMs, now - last - TICK_MS);
      last = now;
    }, TICK_MS);
    try {
      const { value, hasNoDom = false } = await session.evaluate(code, {
        abortSignal: new AbortController().signal,
        timeoutMs: timeout * 1_000,
        files: { read: NO_FILES, write: NO_FILES, list: NO_FILES },
      });
      outcomes.push({ text: value === undefined ? '' : valueText(value), stallMs, hasNoDom });
    } catch (error) {
      outcomes.push({
        text: `failed: ${messageOf(error)}`,
        stallMs,
        hasNoDom: false,
      });
    }
    clearInterval(timer);
  }
  return outcomes;
}

Object.assign(window, { runPieces });
