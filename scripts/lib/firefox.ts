import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isRunnable } from './browser.ts';

/** A headless Firefox, controlled over WebDriver BiDi. */
export interface Firefox {
  version: string;
  open(url: string): Promise<void>;
  /** Runs a function in the open page and returns its value; argument and value are JSON. */
  call<T>(source: string, argument: unknown): Promise<T>;
  /** URLs of pages that were opened in addition, or to which the open page navigated. */
  readonly opened: readonly string[];
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/** The Firefox named by `FIREFOX`, or the one on the path. */
export function findFirefox(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter);
  const candidates = [
    env.FIREFOX,
    ...['firefox-esr', 'firefox'].flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find((path) => path !== undefined && isRunnable(path));
}

export async function startFirefox(path: string): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-profile-'));
  const child = spawn(path, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null) {
      child.kill();
      await exited;
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let printed = '';
      const timer = setTimeout(() => reject(new Error(`Firefox did not start.\n${printed}`)), START_TIMEOUT_MS);
      child.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(printed)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        resolve(found);
      });
    });
    return { ...(await connect(`${address}/session`)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(address: string): Promise<Omit<Firefox, 'stop'>> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`${address} does not respond.`));
  });
  const opened: string[] = [];
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  let page = '';
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    if (message.type === 'event') {
      const { context, parent = null, url } = message.params;
      if (message.method === 'browsingContext.contextCreated' && parent === null) opened.push(url);
      if (message.method === 'browsingContext.load' && context === page) opened.push(url);
      return;
    }
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'error') request?.reject(new Error(`${message.error}: ${message.message}`));
    else request?.resolve(message.result);
  };
  // biome-ignore lint/suspicious/noExplicitAny: the protocol's answers differ by method
  const send = (method: string, params: object): Promise<any> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  const { capabilities } = await send('session.new', { capabilities: {} });
  return {
    version: `${capabilities.browserName} ${capabilities.browserVersion}`,
    opened,
    async open(url) {
      const { contexts } = await send('browsingContext.getTree', {});
      page = contexts[0].context;
      await send('browsingContext.navigate', { context: page, url, wait: 'complete' });
      const events = ['browsingContext.contextCreated', 'browsingContext.load'];
      await send('session.subscribe', { events });
      opened.length = 0;
    },
    async call(source, argument) {
      const { result, exceptionDetails } = await send('script.callFunction', {
        functionDeclaration: `async (text) => JSON.stringify(await (${source})(JSON.parse(text)))`,
        arguments: [{ type: 'string', value: JSON.stringify(argument) }],
        target: { context: page },
        awaitPromise: true,
      });
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
  };
}
