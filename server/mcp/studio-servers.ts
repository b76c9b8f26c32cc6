import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJSONRPCRequest, type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/client';
import type { Environment } from '#config/env.ts';
import { ConfigError } from '#config/errors.ts';
import { type ListedServer, missingVariables, readMcpFile } from '#config/mcp-file.ts';
import { defined } from '#lib/base/defined.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { programEnvironment } from '#lib/sources/mcp/programs/program-environment.ts';
import { ProgramTransport } from '#lib/sources/mcp/programs/program-transport.ts';
import { MCP_CONNECTION_HEADER, MCP_PROGRAM_ENDED, type StudioServer } from '#lib/wire/mcp.ts';
import type { Log } from '#log/log.ts';
import { markSecret } from '#log/redact.ts';
import { HttpProblem } from '#server/http/problem.ts';
import { errorLog } from './error-log.ts';
import { STUDIO_SERVER_LIMITS } from './limits.ts';
import { HANDSHAKE, ProgramConnection } from './program-connection.ts';

/** A tool server that the studio starts. */
type ProgramServer = Extract<ListedServer, { type: 'program' }>;

/** The times that a server's program has ended by itself. */
interface Failures {
  /**
   * The number of times in a row that the program has ended by itself. Once it has run for `steadyMs`, earlier ones no longer
   * count.
   */
  count: number;
  /** When the program last ended by itself, in milliseconds since the epoch. */
  at: number;
}

/** The interval between two searches for programs that nobody needs, in milliseconds. */
const SWEEP_MS = 5_000;

/** Matches the names that pages give to their connections. */
const CONNECTION = /^[A-Za-z0-9-]{32,64}$/;

/**
 * Reads the tool servers that the studio's operator lists in a file. Throws `ConfigError` for an invalid file, and for what
 * only the command line takes: servers with an address, and lists of allowed tools.
 */
export function readStudioServers(path: string): ProgramServer[] {
  return readMcpFile(path).map((server) => {
    const refuse = (key: string, reason: string): never => {
      throw new ConfigError(`${server.at}: servers.${server.name}.${key}: ${reason}`);
    };
    if (server.type !== 'program')
      return refuse(
        'url',
        'only the command line reads addresses from this file; here, people add them in the settings',
      );
    if (server.allow.length > 0)
      return refuse('allow', 'only the command line reads this; here, people are asked, and choose for themselves');
    return server;
  });
}

/**
 * The tool servers of the studio's operator. Each connection of a page has a program of its own, so that nobody sees what
 * others do with theirs. A program starts with the first message of its connection, and ends when nobody uses it.
 */
export class StudioServers {
  readonly #path: string;
  readonly #env: Environment;
  readonly #log: Log;
  readonly #connections = new Map<string, { server: ProgramServer; connection: ProgramConnection }>();
  readonly #failures = new Map<string, Failures>();
  readonly #errorLogs = new Map<string, (line: string) => void>();
  readonly #sweep: NodeJS.Timeout;
  #isClosed = false;
  #servers: readonly ProgramServer[] = [];
  /** The state in which the file was last read, from `stateOf`. */
  #readState: string | undefined;

  constructor({ path, env, log }: { path: string; env: Environment; log: Log }) {
    this.#path = resolve(path);
    this.#env = env;
    this.#log = log;
    this.#sweep = setInterval(() => this.#endIdle(), SWEEP_MS).unref();
    this.#read();
  }

  /** The servers as pages may know them: without their commands and variables. */
  list(): StudioServer[] {
    this.#read();
    return this.#servers.map(({ name, title }) => ({ name, ...defined({ title }) }));
  }

  /**
   * Answers a page's request to the server `name`, as MCP's HTTP transport has it. `readBody`: reads the request's body as
   * JSON. Rejects with `HttpProblem`; 404 means that nothing was passed on, because there is no such server or connection.
   */
  async answer(name: string, request: Request, readBody: () => Promise<unknown>): Promise<Response> {
    this.#read();
    const server = this.#servers.find((one) => one.name === name);
    if (server === undefined)
      throw new HttpProblem(404, 'no-such-server', 'This studio has no tool server of this name.');
    const id = request.headers.get(MCP_CONNECTION_HEADER) ?? '';
    if (!CONNECTION.test(id))
      throw new HttpProblem(400, 'no-connection', `The header ${MCP_CONNECTION_HEADER} is missing.`);
    const key = `${name} ${id}`;
    const message = request.method === 'POST' ? rpcMessageOf(await readBody()) : undefined;
    const known = this.#connections.get(key)?.connection;
    if (message !== undefined) {
      if (known !== undefined) return known.post(message);
      return begins(message) ? this.#begin(server, key, message) : gone();
    }
    if (known === undefined) return gone();
    if (request.method === 'GET') return known.listen();
    await known.end();
    return new Response(null, { status: 204 });
  }

  /** Ends all programs, and starts no others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    await Promise.all([...this.#connections.values()].map(({ connection }) => connection.end()));
  }

  #begin(server: ProgramServer, key: string, message: JSONRPCMessage): Response {
    try {
      return this.#start(server, key).post(message);
    } catch (error) {
      if (!(error instanceof StartError) || !isJSONRPCRequest(message)) throw error;
      return Response.json({
        jsonrpc: '2.0',
        id: message.id,
        error: { code: MCP_PROGRAM_ENDED, message: error.message },
      });
    }
  }

  /** Starts a program for a new connection. Throws `StartError` if it may not be started now. */
  #start(server: ProgramServer, key: string): ProgramConnection {
    const { name, command, args, cwd } = server;
    if (this.#isClosed) throw new StartError('The studio is shutting down.');
    if (missingVariables(server, this.#env).length > 0)
      throw new StartError('The server isn’t fully set up. The studio’s log says what’s missing.');
    this.#checkPause(name);
    this.#makeRoom();
    const report = this.#errorLogs.get(name) ?? errorLog(this.#log, name);
    this.#errorLogs.set(name, report);
    const env = programEnvironment(server.env, this.#env);
    const connection = new ProgramConnection({
      transport: new ProgramTransport({ command, args, cwd, env }, report),
      mayListen: () =>
        [...this.#connections.values()].filter((one) => one.connection.isListening).length <
        STUDIO_SERVER_LIMITS.listeners,
      onEnd: (problem) => {
        if (this.#connections.get(key)?.connection === connection) this.#connections.delete(key);
        this.#log.info({ server: name, ...defined({ problem }) }, 'tool server ended');
        if (problem !== undefined) this.#countFailure(name, connection.startedAt);
      },
    });
    this.#connections.set(key, { server, connection });
    this.#log.info({ server: name }, 'tool server starts');
    return connection;
  }

  /** Throws `StartError` while a program that ends by itself again and again has to wait. */
  #checkPause(name: string): void {
    const { count, at } = this.#failures.get(name) ?? { count: 0, at: 0 };
    const { restartMs } = STUDIO_SERVER_LIMITS;
    const left = at + (restartMs[Math.min(count, restartMs.length - 1)] ?? 0) - Date.now();
    if (left > 0)
      throw new StartError(
        `The server’s program has ended ${count} times in a row. It can be started again in ${Math.ceil(left / 1_000)} seconds. The studio’s log has what it said.`,
      );
  }

  #countFailure(name: string, startedAt: number): void {
    const isSteady = Date.now() - startedAt >= STUDIO_SERVER_LIMITS.steadyMs;
    const before = isSteady ? 0 : (this.#failures.get(name)?.count ?? 0);
    this.#failures.set(name, { count: before + 1, at: Date.now() });
  }

  /**
   * If no more programs may run, ends the one that was not used for the longest time. Throws `StartError` if all of them have
   * requests under way.
   */
  #makeRoom(): void {
    if (this.#connections.size < STUDIO_SERVER_LIMITS.programs) return;
    const [oldest] = [...this.#connections.values()]
      .map(({ connection }) => connection)
      .filter(({ isBusy }) => !isBusy)
      .sort((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined)
      throw new StartError(
        `This studio runs ${STUDIO_SERVER_LIMITS.programs} programs at a time, and all are in use. Try again later.`,
      );
    void oldest.end();
  }

  #endIdle(): void {
    const now = Date.now();
    for (const { connection } of this.#connections.values()) if (connection.isIdle(now)) void connection.end();
  }

  /**
   * Reads the file if it has changed, and ends the programs of servers whose entries have changed or are gone. If the file has
   * an error, logs it, and goes on with the servers as they were.
   */
  #read(): void {
    const state = stateOf(this.#path);
    if (state === this.#readState) return;
    this.#readState = state;
    try {
      this.#servers = readStudioServers(this.#path);
    } catch (error) {
      this.#log.error({ error: messageOf(error) }, 'the list of tool servers is wrong');
      return;
    }
    for (const server of this.#servers) {
      for (const variable of server.env) markSecret(variable);
      for (const variable of missingVariables(server, this.#env))
        this.#log.warn(
          { server: server.name, at: server.at, variable },
          'a variable that a tool server needs is not set',
        );
    }
    const wanted = new Map(this.#servers.map((server) => [server.name, JSON.stringify({ ...server, at: '' })]));
    for (const { server, connection } of this.#connections.values())
      if (wanted.get(server.name) !== JSON.stringify({ ...server, at: '' })) void connection.end();
  }
}

/** Returns a text that differs between states of a file: its time and size, or the error if it cannot be read. */
function stateOf(path: string): string {
  try {
    const { mtimeMs, size } = statSync(path);
    return `${mtimeMs} ${size}`;
  } catch (error) {
    return String(error);
  }
}

/** Thrown when a server's program may not be started now; the message is for people. */
class StartError extends Error {}

/** Checks whether a message is a request with which a page begins a connection (see `HANDSHAKE`). */
const begins = (message: JSONRPCMessage): boolean => isJSONRPCRequest(message) && HANDSHAKE.has(message.method);

function gone(): never {
  throw new HttpProblem(404, 'no-connection', 'This connection has ended. Connect again.');
}

function rpcMessageOf(json: unknown): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(json);
  } catch {
    throw new HttpProblem(400, 'invalid-body', 'The body is no JSON-RPC message.');
  }
}
