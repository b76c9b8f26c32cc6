import type { FrameMessage, PageMessage } from '../protocol.ts';
import { FILE_MAX_CHARS } from './limits.ts';
import { boundMap, global, makePromise, toText } from './primordials.ts';
import { send } from './send.ts';
import { state } from './state.ts';

interface FileRequest {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const requests = boundMap<number, FileRequest>();
let lastRequest = 0;

/** Asks the studio's page for a file of the workspace. Rejects with its error, or if the text to write is too long. */
export function askForFile(
  method: Extract<FrameMessage, { type: 'file' }>['method'],
  path: unknown,
  text?: unknown,
): Promise<unknown> {
  const { promise, resolve, reject } = makePromise<unknown>();
  if (text !== undefined && toText(text).length > FILE_MAX_CHARS) {
    reject(new RangeError(`At most ${FILE_MAX_CHARS} characters can be written to a file at once.`));
    return promise;
  }
  requests.set(++lastRequest, { resolve, reject });
  send({
    type: 'file',
    run: state.run,
    request: lastRequest,
    method,
    path: toText(path),
    ...(text !== undefined && { text: toText(text) }),
  });
  return promise;
}

/** Settles the request that an answer belongs to. */
export function takeAnswer({ request, error, value }: Extract<PageMessage, { type: 'answer' }>): void {
  const waiting = requests.get(request);
  requests.delete(request);
  if (error === undefined) waiting?.resolve(value);
  else waiting?.reject(new Error(error));
}

/** The workspace's files for evaluated code. */
const vfs = Object.freeze({
  readFile: (path: unknown) => askForFile('read', path),
  writeFile: (path: unknown, text: unknown) => askForFile('write', path, text ?? ''),
  list: (path: unknown = '/') => askForFile('list', path),
});

/** Gives code the global `vfs`. */
export function defineFiles(): void {
  Object.defineProperty(global, 'vfs', { value: vfs, configurable: true });
}

/** Takes the global `vfs` away again: pages load files by address. */
export function removeFiles(): void {
  delete (global as { vfs?: unknown }).vfs;
}
