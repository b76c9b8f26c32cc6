import type { FrameMessage } from '../protocol.ts';
import { newRequest } from './answers.ts';
import { FILE_MAX_CHARS } from './limits.ts';
import { global, makePromise, toText } from './primordials.ts';
import { send } from './send.ts';
import { state } from './state.ts';

/**
 * Asks the studio's page to read, write, or list files of the workspace, or to bundle a script with its imports, and resolves
 * with the page's answer. Rejects with the page's error, or with `RangeError` if the text to write is too long. `path` and
 * `text` are converted to text.
 */
export function askForFile(
  method: Extract<FrameMessage, { type: 'file' }>['method'],
  path: unknown,
  text?: unknown,
): Promise<unknown> {
  if (text !== undefined && toText(text).length > FILE_MAX_CHARS) {
    const { promise, reject } = makePromise<unknown>();
    reject(new RangeError(`At most ${FILE_MAX_CHARS} characters can be written to a file at once.`));
    return promise;
  }
  const { request, answer } = newRequest();
  send({
    type: 'file',
    run: state.run,
    request,
    method,
    path: toText(path),
    ...(text !== undefined && { text: toText(text) }),
  });
  return answer;
}

/** The workspace's files for evaluated code. */
const vfs = Object.freeze({
  readFile: (path: unknown) => askForFile('read', path),
  writeFile: (path: unknown, text: unknown) => askForFile('write', path, text ?? ''),
  list: (path: unknown = '/') => askForFile('list', path),
});

/** Defines the global `vfs`, with which code reads, writes, and lists the files of the workspace. */
export function defineFiles(): void {
  Object.defineProperty(global, 'vfs', { value: vfs, configurable: true });
}

/** Removes the global `vfs`: previewed pages load files by their addresses instead. */
export function removeFiles(): void {
  delete (global as { vfs?: unknown }).vfs;
}
