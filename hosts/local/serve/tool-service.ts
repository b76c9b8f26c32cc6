import { randomUUID } from 'node:crypto';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolResult } from '#lib/tools/core/tool-call.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { createToolExecutor, type ToolExecutor } from '#lib/tools/execution/executor.ts';
import type { KnownFiles } from '#lib/tools/execution/known-files.ts';
import { PassingLedger } from '#lib/tools/execution/passing-ledger.ts';
import { propertiesOf } from '#lib/tools/schema/json-schema.ts';
import { PROJECT } from '#lib/tools/toolset-names.ts';
import type { Arguments } from '../cli/arguments.ts';
import { harmless } from '../cli/terminal.ts';
import { LocalFolder } from '../local-folder.ts';
import { Permissions, type ToolTrust } from '../permissions.ts';
import type { LocalServers } from '../servers/local-servers.ts';
import { openServers } from '../servers/open-servers.ts';
import { openTrust } from '../trust/open-trust.ts';
import { workspaceToolAnswersFile } from '../trust/own-places.ts';
import { requestLine } from '../web/request-line.ts';
import { RequestRecord } from '../web/request-record.ts';
import { watchWorkspaceTools } from '../workspace-tools/workspace-tools-watcher.ts';
import { RequestQueue } from './request-queue.ts';

/** The maximum number of files that are remembered as known to the caller. */
const KNOWN_MAX = 10_000;

/** The interval between two reports that a call is still running, in milliseconds. */
const PROGRESS_EVERY_MS = 1_000;

/**
 * Runs the tools of a folder, and of tool servers, for another program. Nobody can be asked: what the configuration does not
 * allow is denied. Calls that only read run side by side, others in order. The caller counts as knowing the files that its
 * calls read and wrote, as a model does in a conversation.
 */
export class ToolService {
  readonly #folder: LocalFolder;
  readonly #servers: LocalServers | undefined;
  readonly #permissions: Permissions;
  readonly #executor: ToolExecutor;
  readonly #queue = new RequestQueue();
  readonly #known = new KnownFileMap();
  readonly #called = new Set<string>();
  #unwatch: () => void = () => undefined;
  /** When the latest call that does not only read has ended, in milliseconds since the epoch. */
  #changedAt = 0;

  /**
   * Opens the folder and the tool servers. Notices for people go to standard error. Rejects with errors whose messages are for
   * people.
   */
  static async open(given: Arguments, directory: string): Promise<ToolService> {
    const { env, stderr } = process;
    const onNotice = (text: string) => void stderr.write(`${harmless(text)}\n`);
    const egress = new RequestRecord((request) => onNotice(requestLine(request)));
    const folder = await LocalFolder.open({ ...given, directory, env, onNotice, egress });
    try {
      // Clients list all tools at once, so the tool servers are opened first.
      const servers = await openServers({ ...given, folder, env, asksForms: false, onNotice, egress });
      const trust = openTrust(folder, servers, { env, onNotice });
      const service = new ToolService(folder, servers, { trust, egress });
      await service.refresh();
      service.#watch(workspaceToolAnswersFile(env));
      return service;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  private constructor(
    folder: LocalFolder,
    servers: LocalServers | undefined,
    { trust, egress }: { trust: ToolTrust; egress: EgressRecord },
  ) {
    this.#folder = folder;
    this.#servers = servers;
    this.#permissions = new Permissions({ config: folder.config, isYes: false, trust });
    this.#executor = createToolExecutor({
      host: folder.host,
      ledger: new PassingLedger(),
      claimant: randomUUID(),
      fence: (...call) => folder.fence(...call),
      hasCommitted: (toolCallId) => folder.hasCommitted(toolCallId),
      writtenBy: (toolCallId, known) => folder.writtenBy(toolCallId, known),
      decide: (call, tool) => this.#permissions.decide(call, tool),
      ask: (call, tool, signal) => this.#permissions.ask(call, tool, signal),
      egress,
      known: {
        hashOf: (path) => this.#known.hashOf(path),
        hasSeen: (hash) => this.#known.hasSeen(hash),
        textOf: (_, hash) => folder.textOf(hash),
      },
      hasRunBefore: (toolName) => this.#called.has(toolName),
    });
  }

  /** Reads the folder's own tools again. Those that the person has not allowed are left out, and a notice says so. */
  async refresh(): Promise<void> {
    await this.#folder.workspaceTools.settle();
  }

  /** Returns the tools that are offered, after a `refresh`. */
  async list(): Promise<readonly Tool[]> {
    await this.refresh();
    return this.#folder.host.list();
  }

  /** Calls back when tools have come or gone, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    const leaving = [this.#folder.registry, this.#folder.workspaceTools].map((source) => source.subscribe(listener));
    return () => {
      for (const leave of leaving) leave();
    };
  }

  /**
   * Runs a tool by its name or an alias. Failures of tools are results, too; rejects only if the files, the ledger, or the
   * journal fail. `stop`: stops the call. `onProgress`: called when the tool begins to run, and then again and again while it
   * runs.
   */
  call(name: string, input: unknown, stop: AbortSignal, onProgress?: () => void): Promise<ToolResult> {
    const known = this.#folder.host.get(name);
    // One that the folder comes with may be there by now, or be another.
    const mayBeNew = known === undefined || known.toolset === PROJECT;
    return this.#queue.run(known?.effect === 'read' && !mayBeNew, async () => {
      if (mayBeNew) await this.refresh();
      const tool = this.#folder.host.get(name);
      const call = {
        toolCallId: randomUUID(),
        toolName: name,
        input: tool === undefined ? input : withUsualNames(input, tool),
        inputState: 'complete',
      } as const;
      // Changes that an earlier process has left unfinished are settled before anything is changed.
      const mayChange = tool !== undefined && tool.effect !== 'read';
      if (mayChange) await this.#beginChange(tool);
      const result = await reporting(onProgress, () =>
        this.#executor.execute(call, { stop, detach: new AbortController().signal }),
      );
      if (mayChange) this.#changedAt = Date.now();
      this.#known.add(result.files ?? []);
      if (tool !== undefined) this.#called.add(tool.name);
      return result;
    });
  }

  /**
   * Prepares for a call that may change files: settles what an earlier process has left unfinished and, after a pause of
   * `TURN_GAP_MS`, begins a new turn, so that the changes that follow can be undone by themselves.
   */
  async #beginChange({ name }: Tool): Promise<void> {
    const { own, journal } = this.#folder;
    await this.#folder.recover();
    if (Date.now() - this.#changedAt < TURN_GAP_MS) return;
    own.create();
    journal.beginTurn(randomUUID(), `Calls from another program, first ${name}`);
  }

  #watch(answersFile: string): void {
    const folder = this.#folder.own.at('tools');
    this.#unwatch = watchWorkspaceTools({ folder, file: answersFile }, () => {
      // Files that cannot be read now are read with the next request.
      this.refresh().catch(() => undefined);
    });
  }

  /** Closes the tool servers and the folder when all calls have ended. */
  async close(): Promise<void> {
    this.#unwatch();
    await this.#queue.idle();
    await this.#servers?.close();
    await this.#folder.close();
  }
}

/**
 * Runs a task, and resolves with its result. Calls `onProgress` when the task begins, and every `PROGRESS_EVERY_MS` while it
 * runs.
 */
async function reporting<T>(onProgress: (() => void) | undefined, run: () => Promise<T>): Promise<T> {
  if (onProgress === undefined) return run();
  onProgress();
  const timer = setInterval(onProgress, PROGRESS_EVERY_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

/** The pause between two changes after which they are undone separately, in milliseconds. */
const TURN_GAP_MS = 60_000;

/**
 * Returns the arguments of a call with `path` in place of `file_path`, which many programs say, if the tool has only `path`.
 */
function withUsualNames(input: unknown, tool: Tool): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const properties = propertiesOf(tool.inputSchema);
  const given = input as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(given, 'file_path') || properties.has('file_path') || !properties.has('path')) return input;
  const { file_path: path, ...others } = given;
  return Object.hasOwn(others, 'path') ? input : { ...others, path };
}

/** The hashes of the files that calls read and wrote, by path. Only the latest ones are kept. */
class KnownFileMap implements Pick<KnownFiles, 'hashOf' | 'hasSeen'> {
  readonly #hashes = new Map<string, string>();

  add(files: readonly { path: string; hash: string }[]): void {
    for (const { path, hash } of files) {
      this.#hashes.delete(path);
      this.#hashes.set(path, hash);
    }
    for (const path of this.#hashes.keys()) {
      if (this.#hashes.size <= KNOWN_MAX) break;
      this.#hashes.delete(path);
    }
  }

  hashOf(path: string): string | undefined {
    return this.#hashes.get(path);
  }

  hasSeen(hash: string): boolean {
    for (const known of this.#hashes.values()) if (known === hash) return true;
    return false;
  }
}
