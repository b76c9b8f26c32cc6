import * as z from 'zod';
import { type JavaScriptEvaluator, type JavaScriptOutcome, ToolFailure } from '#lib/tools/tool.ts';
import { SANDBOX_FRAME_PATH } from './frame-document.ts';

/** The longest text the page takes from the sandbox, in characters; the kernel keeps within it. */
const MAX_TEXT = 250_000;
const MAX_LINES = 1_001;
/** How long the frame may take to be there; the time for the code counts from then on. */
const START_TIMEOUT_MS = 10_000;
/** How often a server that is away is asked for again. */
const SERVER_POLL_MS = 1_000;

const text = z.string().max(MAX_TEXT);
const consoleSchema = z
  .array(z.object({ level: z.enum(['log', 'info', 'warn', 'error', 'debug']), text }))
  .max(MAX_LINES);

/** Every message from the frame is taken as forged until it fits. */
const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('outcome'), id: z.string(), value: text, console: consoleSchema }),
  z.object({ type: z.literal('failure'), id: z.string(), message: text, console: consoleSchema }),
  z.object({ type: z.literal('crash'), message: text }),
]);

type SandboxMessage = z.infer<typeof messageSchema>;

/**
 * Runs code in a worker inside an opaque frame with a policy of its own: a fresh one for each evaluation, ended with
 * it. The page's thread is never the code's, so a loop without end costs its time limit and nothing else.
 */
export function createSandbox(): JavaScriptEvaluator {
  return {
    async evaluate(code, { abortSignal, timeoutMs }) {
      let wasServed = false;
      for (;;) {
        abortSignal.throwIfAborted();
        const frame = openFrame();
        try {
          return await evaluateIn(frame, code, abortSignal, timeoutMs);
        } catch (error) {
          if (!(error instanceof NotStarted)) throw error;
          if (wasServed) throw new ToolFailure('failed', 'The sandbox did not start.');
          // The frame comes from the studio's server. While that is away nothing has run, so nothing has failed yet.
          await untilServed(abortSignal);
          wasServed = true;
        } finally {
          frame.remove();
        }
      }
    },
  };
}

class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** Resolves when the server answers, or when the person no longer waits. */
async function untilServed(abortSignal: AbortSignal): Promise<void> {
  while (!abortSignal.aborted && !(await isServed()))
    await new Promise((resolve) => setTimeout(resolve, SERVER_POLL_MS));
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch(SANDBOX_FRAME_PATH, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

function openFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.setAttribute('aria-hidden', 'true');
  frame.referrerPolicy = 'no-referrer';
  frame.allow =
    "camera 'none'; microphone 'none'; geolocation 'none'; clipboard-read 'none'; clipboard-write 'none'; display-capture 'none'";
  frame.tabIndex = -1;
  frame.title = 'Sandbox';
  frame.style.display = 'none';
  frame.src = SANDBOX_FRAME_PATH;
  document.body.append(frame);
  return frame;
}

function evaluateIn(
  frame: HTMLIFrameElement,
  code: string,
  abortSignal: AbortSignal,
  timeoutMs: number,
): Promise<JavaScriptOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<JavaScriptOutcome>();
  const { port1: port, port2 } = new MessageChannel();
  const id = crypto.randomUUID();
  const fail = (reason: ToolFailure | NotStarted) => reject(reason);
  let timer = setTimeout(() => fail(new NotStarted()), START_TIMEOUT_MS);
  const onAbort = () => fail(new ToolFailure('aborted', 'Stopped by the person while it ran.'));
  abortSignal.addEventListener('abort', onAbort, { once: true });

  const onMessage = (message: SandboxMessage) => {
    switch (message.type) {
      case 'ready':
        clearTimeout(timer);
        timer = setTimeout(() => {
          fail(
            new ToolFailure(
              'timed-out',
              `The code ran longer than ${timeoutMs / 1000} seconds and was ended. It may contain an endless loop.`,
            ),
          );
        }, timeoutMs);
        port.postMessage({ id, code });
        break;
      case 'outcome':
        if (message.id === id) resolve({ value: message.value, console: message.console });
        break;
      case 'failure':
        if (message.id === id) fail(new ToolFailure('failed', withConsole(message)));
        break;
      default:
        fail(new ToolFailure('failed', `The sandbox ended: ${message.message}`));
    }
  };
  port.onmessage = ({ data }) => {
    const parsed = messageSchema.safeParse(data);
    if (parsed.success) onMessage(parsed.data);
    else fail(new ToolFailure('failed', 'The code sent back more than the sandbox may.'));
  };
  frame.addEventListener('load', () => frame.contentWindow?.postMessage(null, '*', [port2]), { once: true });

  return promise.finally(() => {
    clearTimeout(timer);
    abortSignal.removeEventListener('abort', onAbort);
    port.close();
  });
}

function withConsole({ message, console }: Extract<SandboxMessage, { type: 'failure' }>): string {
  if (console.length === 0) return message;
  return `${message}\nPrinted before:\n${console.map((line) => line.text).join('\n')}`;
}
