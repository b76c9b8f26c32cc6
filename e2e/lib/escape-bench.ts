import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from '#scripts/lib/run.ts';
import { CliBench, trustConfig } from './cli-bench.ts';
import { type Message, ToolClient } from './tool-client.ts';

/** The maximum time for a server to end, in milliseconds. */
const END_MS = 5_000;

/** A call's result, as the server has answered it. */
export interface Answer {
  text: string;
  isError: boolean;
}

/** Options for setting up a world. */
interface EscapeBenchOptions {
  /** The place where the server is started: in the folder, or elsewhere, with the folder as an argument. */
  startedIn?: 'the folder' | 'another folder';
  /** A command that starts the server's, in front of it. */
  through?: readonly string[];
}

/** The settings of the folder under which whatever tools offer may be called. */
export const CONFIG = 'permissions: {write: allow, execute: allow}\n';

/**
 * A tool server over a folder, in a world that must stay as it is: files around the folder, a home, listeners on the
 * network, and another process. Whatever is secret there contains the same text, which no answer may contain.
 */
export class EscapeBench {
  /** The text that everything secret outside of the folder contains. */
  readonly secret = `CANARY-${randomUUID()}`;
  readonly bench: CliBench;
  readonly client: ToolClient;
  /** Files next to the folder. */
  readonly outside: string;
  /** The home of whoever has started the server. */
  readonly home: string;
  /** A folder for temporary files that does not depend on the environment. */
  readonly otherTemporary: string;
  /** The folder in which the runtime that confines programs keeps what all of them share. */
  readonly shared = '/tmp/claude';
  readonly sharedFile = join(this.shared, `roundtrip-${randomUUID()}`);
  readonly tcpPort: number;
  readonly udpPort: number;
  /** A socket outside of the folder, and one in it. */
  readonly unixSocket: string;
  readonly socketInFolder: string;
  /** A name without a file. */
  readonly abstractSocket: string;
  /** A process that has nothing to do with the server. */
  readonly bystander: ChildProcess;
  /** The listeners that were contacted. */
  readonly contacts: string[] = [];
  readonly #closing: (() => unknown)[] = [];
  #before: ReadonlyMap<string, string>;
  #calls = 0;

  static async start(options: EscapeBenchOptions = {}): Promise<EscapeBench> {
    const bench = await CliBench.start();
    const contacts: string[] = [];
    const [tcp, unix, inFolder, abstract] = await Promise.all([
      listening('tcp', { host: '127.0.0.1', port: 0 }, contacts),
      listening('unix', { path: join(bench.outside, 'outside.sock') }, contacts),
      listening('unix in the folder', { path: join(bench.folder, 'host.sock') }, contacts),
      listening('abstract', { path: `\0roundtrip-${randomUUID()}` }, contacts),
    ]);
    const udp = createSocket('udp4').on('message', () => contacts.push('udp'));
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    return new EscapeBench(bench, { tcp, unix, inFolder, abstract, udp }, contacts, options);
  }

  private constructor(
    bench: CliBench,
    listeners: Record<'tcp' | 'unix' | 'inFolder' | 'abstract', Server> & { udp: Socket },
    contacts: string[],
    { startedIn = 'another folder', through = [] }: EscapeBenchOptions,
  ) {
    this.bench = bench;
    this.contacts = contacts;
    this.outside = join(bench.outside, 'outside');
    this.home = join(bench.outside, 'home');
    this.otherTemporary = join('/var/tmp', `roundtrip-${randomUUID()}`);
    this.tcpPort = (listeners.tcp.address() as AddressInfo).port;
    this.udpPort = listeners.udp.address().port;
    this.unixSocket = String(listeners.unix.address());
    this.socketInFolder = String(listeners.inFolder.address());
    this.abstractSocket = String(listeners.abstract.address());
    for (const listener of Object.values(listeners)) this.#closing.push(() => listener.close());
    this.bystander = spawn('sleep', [String(3600 + Math.random())], { stdio: 'ignore' });
    this.#closing.push(() => this.bystander.kill('SIGKILL'));
    this.#fill();
    this.#before = this.#state();
    const { folder } = bench;
    const [program = '', ...args] = [...through, process.execPath, join(ROOT, 'bin/roundtrip.js'), 'serve', '--stdio'];
    const child = spawn(program, startedIn === 'the folder' ? args : [...args, '--cwd', folder], {
      cwd: startedIn === 'the folder' ? folder : bench.outside,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...bench.environment, ...this.#variables() },
    });
    this.client = new ToolClient(child);
  }

  get folder(): string {
    return this.bench.folder;
  }

  /** The server's process. */
  get pid(): number {
    return this.client.child.pid ?? -1;
  }

  /**
   * Calls a tool, and checks that the answer has nothing from outside: neither its contents nor its paths, except those
   * that are in the input or `expected`.
   */
  async call(tool: string, input: Readonly<Record<string, unknown>>, expected = ''): Promise<Answer> {
    const message = await this.client.call(++this.#calls, tool, input);
    return this.checked(message, `${JSON.stringify(input)} ${expected}`);
  }

  bash(command: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.call('bash', { command, ...more });
  }

  javascript(code: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.call('browser_js_eval', { code, ...more });
  }

  /**
   * Returns the text of a message after checking that nothing from outside is in it. `given`: a text that may be
   * repeated.
   */
  checked({ result, error }: Message, given: string): Answer {
    const answer = JSON.stringify(result ?? error);
    expect(answer).not.toContain(this.secret);
    for (const path of [this.bench.outside, ROOT]) if (!given.includes(path)) expect(answer).not.toContain(path);
    return { text: error?.message ?? result?.content ?? '', isError: error !== undefined || result?.is_error === true };
  }

  /** Checks that the world outside of the folder is as it was. */
  expectUntouched(): void {
    const [before, now] = [this.#before, this.#state()];
    // One way out fails one test only.
    this.#before = now;
    expect(now).toEqual(before);
    expect(this.contacts.splice(0)).toEqual([]);
    expect(hasEnded(this.bystander), 'whether the other process has ended').toBe(false);
    expect(hasEnded(this.client.child), 'whether the server has ended').toBe(false);
  }

  async stop(): Promise<void> {
    // Killed, it would leave files of the sandbox behind.
    const ended = once(this.client.child, 'exit');
    const timer = setTimeout(() => this.client.child.kill('SIGKILL'), END_MS);
    this.client.child.stdin?.end();
    if (!hasEnded(this.client.child)) await ended;
    clearTimeout(timer);
    for (const close of this.#closing) await close();
    await this.bench.stop();
  }

  /** Everything that must stay as it is, by path. */
  #state(): Map<string, string> {
    const state = new Map<string, string>();
    for (const place of [this.outside, this.home, this.otherTemporary, this.sharedFile]) addState(place, state);
    for (const name of ['hooks', 'config']) addState(join(this.folder, '.git', name), state);
    return state;
  }

  #variables(): Record<string, string> {
    const keys = ['OPENAI_API_KEY', 'SCRIPTED_KEY', 'AWS_SECRET_ACCESS_KEY', 'MY_TOKEN'];
    return { HOME: this.home, ...Object.fromEntries(keys.map((key) => [key, this.secret])) };
  }

  #fill(): void {
    const { secret, folder } = this;
    writeFiles(this.outside, {
      'secret.txt': secret,
      'f.txt': secret,
      'sub/f.txt': secret,
      'secret.ts': `export const KEY = '${secret}' as const;\n`,
    });
    writeFiles(this.home, { '.ssh/id_test': secret, '.npm/_logs/debug.log': secret, 'notes.txt': secret });
    writeFiles(this.otherTemporary, { 'secret.txt': secret });
    this.#closing.push(() => rmSync(this.otherTemporary, { recursive: true, force: true }));
    writeFiles(this.shared, { [basename(this.sharedFile)]: secret });
    // The folder stays: other programs that are being confined may be about to hide it.
    this.#closing.push(() => rmSync(this.sharedFile, { force: true }));
    writeFiles(folder, {
      'a.txt': 'alpha\n',
      '.roundtrip/config.yaml': CONFIG,
      '.roundtrip/sessions/2026-01-01-old.jsonl': `${JSON.stringify({ secret })}\n`,
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n',
      '.git/hooks/post-commit.sample': '#!/bin/sh\n',
      '.git/modules/libs/module/config': '[core]\n',
      '.git/modules/libs/module/hooks/sample': '#!/bin/sh\n',
      'packages/nested/.git/config': '[core]\n',
      'packages/nested/.git/hooks/sample': '#!/bin/sh\n',
      'linked/.git': 'gitdir: ../.git/modules/libs/module\n',
    });
    for (const name of ['.git/objects', '.git/refs']) mkdirSync(join(folder, name));
    trustConfig(folder, CONFIG, { ...this.bench.environment, ...this.#variables() });
    symlinkSync('.git', join(folder, 'git-link'));
  }
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(join(place, '..'), { recursive: true });
    writeFileSync(place, text);
  }
}

async function listening(name: string, options: ListenOptions, contacts: string[]): Promise<Server> {
  const server = createServer((socket) => {
    contacts.push(name);
    socket.destroy();
  });
  server.listen(options);
  await once(server, 'listening');
  return server;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Adds what can be seen of a file, or of a folder and everything below it. */
function addState(place: string, state: Map<string, string>): void {
  const stat = lstatSync(place);
  const common = `${stat.mode.toString(8)} ${stat.nlink}`;
  if (stat.isDirectory()) {
    state.set(place, common);
    for (const name of readdirSync(place)) addState(join(place, name), state);
  } else if (stat.isSymbolicLink()) state.set(place, `${common} ${readlinkSync(place)}`);
  else state.set(place, `${common} ${stat.mtimeMs} ${createHash('sha256').update(readFileSync(place)).digest('hex')}`);
}

/** Checks whether a process of this machine has a text among its arguments. */
export function isRunningWith(text: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
    } catch {
      // It has ended.
      return false;
    }
  });
}
