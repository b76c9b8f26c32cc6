import type { Readable } from 'node:stream';
import type { DataCallback, Disposable, MessageReader } from 'vscode-jsonrpc/node';
import { messageOf } from '#lib/base/message-of.ts';
import { MAX_HEADER_BYTES, MAX_MESSAGE_BYTES } from './limits.ts';

const HEADER_END = '\r\n\r\n';

/** Registers nothing: problems are reported through `onBroken` instead of these events. */
const never = (): Disposable => ({ dispose: () => undefined });

/**
 * Reads messages from a language server's output. In contrast to the reader of `vscode-jsonrpc`, it keeps no more than
 * `MAX_MESSAGE_BYTES`, and gives up, calling `onBroken` once, as soon as the output cannot be messages.
 */
export class BoundedMessageReader implements MessageReader {
  readonly onError = never;
  readonly onClose = never;
  readonly onPartialMessage = never;
  readonly #output: Readable;
  readonly #onBroken: (reason: string) => void;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The length of the message that is being read, in bytes; undefined while its header is read. */
  #length: number | undefined;
  #isBroken = false;

  constructor(output: Readable, onBroken: (reason: string) => void) {
    this.#output = output;
    this.#onBroken = onBroken;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer) => {
      if (this.#isBroken) return;
      this.#chunks.push(chunk);
      this.#bytes += chunk.byteLength;
      try {
        for (let message = this.#next(); message !== undefined; message = this.#next()) callback(message.content);
      } catch (error) {
        this.#isBroken = true;
        this.#chunks = [];
        this.#onBroken(messageOf(error));
      }
    };
    this.#output.on('data', onData);
    return { dispose: () => this.#output.off('data', onData) };
  }

  dispose(): void {
    this.#isBroken = true;
    this.#chunks = [];
  }

  /** The next message; undefined until all of it has arrived. Throws if the output is not a message. */
  #next() {
    this.#length ??= this.#readHeader();
    if (this.#length === undefined || this.#bytes < this.#length) return undefined;
    const text = this.#take(this.#length).toString('utf8');
    this.#length = undefined;
    const content: Parameters<DataCallback>[0] = JSON.parse(text);
    if (typeof content !== 'object' || content === null) throw new Error(`a message is ${text}`);
    return { content };
  }

  /**
   * Takes a header and returns the length of its message in bytes; undefined until the whole header has arrived. Throws if
   * the output does not begin with a valid header, or the message is too large.
   */
  #readHeader(): number | undefined {
    const start = this.#joined();
    const end = start.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END);
    const header = start.toString('latin1', 0, end === -1 ? Math.min(start.byteLength, MAX_HEADER_BYTES) : end);
    const isHeader = header === '' || /^[\w-]+(?:$|:)/.test(header);
    if (!isHeader || (end === -1 && start.byteLength > MAX_HEADER_BYTES))
      throw new Error(`it begins with ${JSON.stringify(header)}`);
    if (end === -1) return undefined;
    const length = /^content-length:[ \t]*(\d{1,10})[ \t]*$/im.exec(header)?.[1];
    if (length === undefined) throw new Error(`a message has the header ${JSON.stringify(header)}`);
    if (Number(length) > MAX_MESSAGE_BYTES) throw new Error(`a message has ${length} bytes`);
    this.#take(end + HEADER_END.length);
    return Number(length);
  }

  #joined(): Buffer {
    const [only = Buffer.alloc(0), ...others] = this.#chunks;
    if (others.length === 0) return only;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(bytes: number): Buffer {
    const joined = this.#joined();
    this.#chunks = [joined.subarray(bytes)];
    this.#bytes -= bytes;
    return joined.subarray(0, bytes);
  }
}
