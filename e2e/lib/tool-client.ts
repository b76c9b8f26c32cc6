import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A message of the tool server: an answer to a request, or a message without one. */
export interface Message {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown> & { content?: string; is_error?: boolean };
  error?: { code: string; message: string };
}

/** A client of the tool server. */
export class ToolClient {
  readonly child: ChildProcess;
  /** Everything that the server has written so far. */
  readonly messages: Message[] = [];
  readonly #waiting: { is: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];

  /** `child`: `roundtrip serve --stdio`, with pipes for standard input and output. */
  constructor(child: ChildProcess) {
    this.child = child;
    if (child.stdout === null) throw new Error('no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message: Message = JSON.parse(line);
      this.messages.push(message);
      const index = this.#waiting.findIndex(({ is }) => is(message));
      if (index !== -1) this.#waiting.splice(index, 1)[0]?.resolve(message);
    });
  }

  send(line: object | string): void {
    this.child.stdin?.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  /** Resolves with the next message of a kind. */
  wait(is: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => this.#waiting.push({ is, resolve }));
  }

  request(id: unknown, method: string, params: object = {}): Promise<Message> {
    const answer = this.wait((message) => 'id' in message && JSON.stringify(message.id) === JSON.stringify(id));
    this.send({ id, method, params });
    return answer;
  }

  call(id: unknown, name: string, input: object = {}): Promise<Message> {
    return this.request(id, 'call_tool', { name, input });
  }

  /** Ends the server's input, and resolves with its exit code. */
  async end(): Promise<number | null> {
    const end = new Promise<number | null>((resolve) => this.child.once('close', resolve));
    this.child.stdin?.end();
    return end;
  }
}
