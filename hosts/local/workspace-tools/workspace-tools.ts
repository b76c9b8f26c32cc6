import { defined } from '#lib/base/defined.ts';
import { SerialQueue } from '#lib/base/serial-queue.ts';
import { hasContent } from '#lib/sources/workspace-tools/content-hash.ts';
import {
  type FoundWorkspaceTool,
  findWorkspaceTools,
  type UnusableToolFile,
} from '#lib/sources/workspace-tools/find-workspace-tools.ts';
import { WORKSPACE_TOOLS_FOLDER } from '#lib/sources/workspace-tools/limits.ts';
import { missingTool } from '#lib/sources/workspace-tools/missing-tool.ts';
import type { WorkspaceToolMaker } from '#lib/sources/workspace-tools/workspace-tool.ts';
import type { ToolSpec } from '#lib/tools/core/spec.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import type { ToolSource } from '#lib/tools/execution/host.ts';
import { PROJECT } from '#lib/tools/toolset-names.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import type { DescribedTool, DescribedTools } from '../trust/pinned-tools.ts';
import type { WorkspaceToolAnswers } from './workspace-tool-answers.ts';

/** Options of `WorkspaceTools`. */
export interface WorkspaceToolsOptions {
  files: Pick<FileSystem, 'readFile' | 'stat' | 'readdir'>;
  /** The folder: real and absolute. */
  root: string;
  /** Whether code of tools can run on this machine: it can be confined, or need not be. */
  canRun: boolean;
  /** Checks whether a tool that does not come from the folder has this name. */
  isTaken(name: string): boolean;
  /** The person's answers; undefined if answers cannot be kept. */
  answers: WorkspaceToolAnswers | undefined;
  /** Shows a notice to the person. */
  onNotice(text: string): void;
}

/**
 * Asks the person whether the model may use a workspace tool with its file as it is now. `before`: the content of the file
 * that they allowed last. Resolves with undefined if they did not answer. Rejects with the signal's reason if it fires.
 */
export type AskAboutWorkspaceTool = (
  found: FoundWorkspaceTool,
  before: string | undefined,
  abortSignal: AbortSignal,
) => Promise<boolean | undefined>;

/** The person's decision about a workspace tool. `waiting`: they have not decided about its present content. */
type WorkspaceToolState = 'allowed' | 'refused' | 'waiting';

/** The files with tools, as they were when they were last read. */
interface Contents {
  tools: readonly (FoundWorkspaceTool & { state: WorkspaceToolState; made: Tool })[];
  problems: readonly Pick<UnusableToolFile, 'path' | 'reason'>[];
}

/**
 * The tools that a folder comes with. A tool is offered once the person has allowed the content of its file. Before that,
 * nothing of the file is run, and only its specification is read. `get` and `list` have only the offered tools; `whyMissing`
 * tells the model why another one is not offered. `describe` has all tools that were found.
 */
export class WorkspaceTools implements ToolSource, DescribedTools {
  readonly #options: WorkspaceToolsOptions;
  /** The answers that could not be written to the file, by the hash of the content. They count for this process. */
  readonly #passing = new Map<string, boolean>();
  /** The keys of the notices that were already given, so that each is given once. */
  readonly #said = new Set<string>();
  /** The hashes of the contents about which the person was asked in this process and did not answer. */
  readonly #unanswered = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #queue = new SerialQueue();
  #maker: WorkspaceToolMaker | undefined;
  #contents: Contents = { tools: [], problems: [] };
  #offered: ReadonlyMap<string, Contents['tools'][number]> = new Map();

  constructor(options: WorkspaceToolsOptions) {
    this.#options = options;
  }

  get(name: string): Tool | undefined {
    return this.#offered.get(name)?.made;
  }

  list(): readonly Tool[] {
    return [...this.#offered.values()].map(({ made }) => made);
  }

  whyMissing(name: string): string | undefined {
    const { tools, problems } = this.#contents;
    const found = tools.find(({ tool }) => tool.name === name);
    if (found !== undefined) return missingTool(found.tool.path, found.state === 'refused' ? 'refused' : 'waiting');
    const problem = problems.find(({ path }) => path === `${WORKSPACE_TOOLS_FOLDER}/${name}.js`);
    return problem && missingTool(problem.path, { reason: problem.reason });
  }

  /** All tools that were found, offered or not, and the files that cannot be used. */
  get contents(): Contents {
    return this.#contents;
  }

  /** Calls back when tools have come, gone, or changed, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  describe({ name, toolset }: ToolSpec): DescribedTool | undefined {
    const found = toolset === PROJECT ? this.#contents.tools.find(({ tool }) => tool.name === name) : undefined;
    if (found === undefined) return undefined;
    const { title, description, inputSchema } = found.tool;
    return {
      identity: 'folder',
      wasShown: true,
      definition: {
        name,
        description,
        inputSchema,
        isDestructive: false,
        hash: found.hash,
        ...defined({ title }),
      },
    };
  }

  /** Reads the files again. A notice, given once, names each that cannot be used. */
  load(): Promise<void> {
    return this.#queue.run(() => this.#load());
  }

  /**
   * Reads the files again, asks about each tool that is `waiting`, and offers those that are then allowed. Without an answer,
   * the tool is left out with a notice, and not asked about again. Rejects with the signal's reason if it fires.
   */
  async settle(ask: AskAboutWorkspaceTool = nobody, abortSignal: AbortSignal = NEVER): Promise<void> {
    await this.load();
    for (const found of this.#contents.tools.filter(({ state }) => state === 'waiting')) {
      const { hash, tool } = found;
      if (!this.#options.canRun || this.#unanswered.has(hash)) continue;
      const isAllowed = await ask(found, this.before(found), abortSignal);
      if (isAllowed !== undefined) this.answer(found, isAllowed);
      else {
        this.#unanswered.add(hash);
        this.#say(`${tool.path} ${hash}`, this.#leftOut(found));
      }
    }
    await this.load();
  }

  /** Records whether the person allows a content. The next `load` applies it. */
  answer({ tool, hash }: FoundWorkspaceTool, isAllowed: boolean): void {
    const { answers, root, onNotice } = this.#options;
    try {
      answers?.put({ folder: root, path: tool.path, hash, isAllowed, text: tool.source });
      if (answers !== undefined) return;
    } catch {
      // It counts for this process.
    }
    this.#passing.set(hash, isAllowed);
    onNotice(`Your answer about ${tool.name} counts for this session only: it could not be kept.`);
  }

  /** Forgets the person's answer about a content. Throws Node's errors. */
  forget({ hash }: FoundWorkspaceTool): void {
    this.#passing.delete(hash);
    this.#options.answers?.forget(hash);
  }

  /** The content of a tool's file that the person has allowed last; undefined if that is not known. */
  before({ tool }: FoundWorkspaceTool): string | undefined {
    return this.#options.answers?.before({ folder: this.#options.root, path: tool.path });
  }

  #answerTo(hash: string): boolean | undefined {
    return this.#passing.get(hash) ?? this.#options.answers?.of(hash);
  }

  async #load(): Promise<void> {
    const { files, canRun } = this.#options;
    const { tools, problems } = await findWorkspaceTools(files);
    const unusable: Contents['problems'][number][] = [...problems];
    const usable: Contents['tools'][number][] = [];
    for (const found of tools) {
      const made = (await this.#makerOnce()).toolOf(found);
      const answer = this.#answerTo(found.hash);
      const state = answer === undefined ? 'waiting' : answer ? 'allowed' : 'refused';
      if (typeof made === 'string') unusable.push({ path: found.tool.path, reason: made });
      else usable.push({ ...found, state, made });
    }
    this.#contents = { tools: usable, problems: unusable };
    for (const { path, reason } of unusable)
      this.#say(`${path} ${reason}`, `${shownPath(path)} is not offered. ${reason}`);
    if (!canRun && usable.length > 0) this.#say('cannot run', CANNOT_RUN);
    const offered = new Map(
      usable.filter(({ state }) => state === 'allowed' && canRun).map((found) => [found.tool.name, found]),
    );
    const before = this.#offered;
    this.#offered = offered;
    const isSame =
      offered.size === before.size && [...offered].every(([name, { made }]) => before.get(name)?.made === made);
    if (!isSame) for (const listener of [...this.#listeners]) listener();
  }

  /** Returns the maker of tools. It is loaded only when it is needed, because few folders have tools. */
  async #makerOnce(): Promise<WorkspaceToolMaker> {
    const { WorkspaceToolMaker } = await import('#lib/sources/workspace-tools/workspace-tool.ts');
    const { files, isTaken } = this.#options;
    this.#maker ??= new WorkspaceToolMaker({
      isTaken,
      isCurrent: async (path, hash) => (await hasContent(files, path, hash)) && this.#answerTo(hash) === true,
    });
    return this.#maker;
  }

  #leftOut(found: FoundWorkspaceTool): string {
    const { name, path } = found.tool;
    const why =
      this.before(found) === undefined ? 'you have not allowed it' : 'its file has changed since you allowed it';
    return `The tool ${name} is left out: ${why}. Look at ${shownPath(path)}, then run “roundtrip tools allow ${name}” in this folder.`;
  }

  #say(key: string, text: string): void {
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#options.onNotice(text);
  }
}

/** Returns a path as the person knows it: relative to the folder, without `/` at its beginning. */
export const shownPath = (path: string): string => path.slice(1);

/** Answers no question, for where nobody can be asked. */
const nobody: AskAboutWorkspaceTool = async () => undefined;
const NEVER = new AbortController().signal;

const CANNOT_RUN =
  'The tools in .roundtrip/tools are not offered: code cannot be confined here. --unconfined runs it like any other program.';
