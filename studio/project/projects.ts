import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { contentHash, hasContent } from '#lib/sources/workspace-tools/content-hash.ts';
import { WORKSPACE_TOOLS_FOLDER } from '#lib/sources/workspace-tools/limits.ts';
import { missingTool } from '#lib/sources/workspace-tools/missing-tool.ts';
import type { WorkspaceToolMaker } from '#lib/sources/workspace-tools/workspace-tool.ts';
import type { WorkspaceToolFile } from '#lib/sources/workspace-tools/workspace-tool-file.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Project } from '#lib/tools/catalogue/catalogue.ts';
import type { ToolRegistry } from '#lib/tools/catalogue/registry.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { readSkillTool } from '#lib/tools/files/read-skill.ts';
import { basename, isWithin } from '#lib/vfs/paths.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { OpenedWorkspace } from '../opened-workspace.ts';
import {
  concernsProject,
  type FoundProject,
  PROJECT_FILE_MAX_BYTES,
  type ProjectFile,
  type ProjectProblem,
  readProject,
} from './project-files.ts';

const ANSWERS = 'project-answers';

/** The number of answers that are kept; the oldest are forgotten, and asked for again. */
const ANSWERS_MAX = 1_000;

const answersSchema = z.record(z.string(), z.boolean());

/** The number of earlier contents of a file that are searched for the one that was allowed. */
const EARLIER_MAX = 100;

/** The number of turns for which the instructions and skills that they were told are remembered. */
const TURNS_KEPT = 100;

/** The time that changes of the files are collected before they are read again, in milliseconds. */
const SETTLE_MS = 200;

/**
 * The instructions, skills, tools, and prompts in the files of the shown workspace, and whether the person lets the model
 * use them.
 */
export interface ProjectState extends FoundProject {
  workspaceId: string;
  /**
   * Whether the person lets the model use a file's content, by its hash (`ProjectFile.hash`). Undecided contents have no entry.
   */
  answers: Readonly<Record<string, boolean>>;
}

interface ProjectsOptions {
  store: Pick<ThreadStore, 'setting' | 'updateSetting'>;
  registry: ToolRegistry;
  open(workspaceId: string): Promise<Pick<OpenedWorkspace, 'fileSystem' | 'history'>>;
  /**
   * Replaces the tools that a workspace offers. `missing`: the reasons, for the model, why other tools with a file are not
   * offered, by the names of the tools.
   */
  offer(workspaceId: string, tools: readonly Tool[], missing: ReadonlyMap<string, string>): void;
  /** Returns the paths of further instructions that the settings name, and of the file that the person has open, if any. */
  wanted(workspaceId: string): { named: readonly string[]; near: string | undefined };
}

/**
 * The instructions, skills, tools, and prompts in the files of workspaces. Anyone who can write a file could instruct
 * the model with it, so a content counts only once the person has allowed it.
 */
export class Projects {
  readonly state: StoreApi<ProjectState | undefined> = createStore<ProjectState | undefined>(() => undefined);
  readonly #options: ProjectsOptions;
  /** Answers about contents in temporary workspaces, by hash. They are not stored. */
  readonly #passing = new Map<string, boolean>();
  readonly #told = new Map<string, Promise<Project | undefined>>();
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasSkills = false;
  /** The makers of tools, by workspace. */
  readonly #makers = new Map<string, WorkspaceToolMaker>();
  readonly #readSkill = readSkillTool({
    isAllowed: async (path, text) => (await this.#answers())[await contentHash(path, text)] === true,
  });

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /**
   * Returns what a workspace tells the model now: its instructions, and the names and descriptions of its skills, as far as the
   * person allows them; undefined if there are none. Also offers the tools of the workspace that are allowed.
   */
  async of(workspaceId: string): Promise<Project | undefined> {
    const [found, answers] = await Promise.all([this.#read(workspaceId), this.#answers()]);
    await this.#offer(workspaceId, found, answers);
    const allowed = found.files.filter(({ hash }) => answers[hash] === true);
    const described = allowed.flatMap(({ kind, name, text }) =>
      kind === 'skill' ? [{ name, description: text }] : [],
    );
    const skills = described.length > 0 && this.#offersSkills() ? described : [];
    const instructions = allowed.flatMap(({ kind, path, text, hash }) =>
      kind === 'instructions' ? [{ path, text, hash }] : [],
    );
    return instructions.length + skills.length === 0 ? undefined : { instructions, skills };
  }

  /** Offers the tool that reads skills once there are any. Returns false if other tools leave no room for it. */
  #offersSkills(): boolean {
    if (this.#hasSkills) return true;
    try {
      this.#options.registry.add([this.#readSkill]);
      this.#hasSkills = true;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ToolDefinitionError') throw error;
    }
    return this.#hasSkills;
  }

  /** Reads a workspace's files, so that its tools are offered. */
  async loadTools(workspaceId: string): Promise<void> {
    await this.of(workspaceId);
  }

  /**
   * Returns what a workspace tells the model in a turn: the same in all of its steps, as long as the page is open. After a
   * reload, the files are read again, because a stored step may come from anywhere.
   */
  async forTurn(turnId: string, workspaceId: string): Promise<Project | undefined> {
    // Tools may change within a turn: a model can write one and go on with it.
    const now = this.of(workspaceId);
    const told = this.#told.get(turnId) ?? now;
    this.#told.set(turnId, told);
    // The next step reads the files again if that failed.
    told.catch(() => this.#told.delete(turnId));
    await now;
    for (const [oldest] of this.#told) {
      if (this.#told.size <= TURNS_KEPT) break;
      this.#told.delete(oldest);
    }
    return told;
  }

  /** Follows a workspace's files: from now on, `state` is about them. */
  async show({ id, fileSystem }: Pick<OpenedWorkspace, 'id' | 'fileSystem'>): Promise<void> {
    this.#leave?.();
    const unwatch = fileSystem.watch((changes) => {
      const { named } = this.#options.wanted(id);
      if (changes.some(({ path }) => concernsProject(path, named))) this.#readSoon(id);
    });
    this.#leave = unwatch;
    await this.refresh(id);
  }

  /**
   * Reads a workspace, the shown one by default, into `state` again, such as after the person has opened another file or
   * changed the settings.
   */
  async refresh(workspaceId = this.state.getState()?.workspaceId): Promise<void> {
    if (workspaceId === undefined) return;
    const [found, answers] = await Promise.all([this.#read(workspaceId), this.#answers()]);
    this.state.setState({ workspaceId, ...found, answers }, true);
    await this.#offer(workspaceId, found, answers);
  }

  /**
   * Stores whether the model may get these contents; for a temporary workspace, only until the page is closed. Rejects with
   * `StorageError`.
   */
  async answer(files: readonly Pick<ProjectFile, 'hash'>[], isAllowed: boolean): Promise<void> {
    const workspaceId = this.state.getState()?.workspaceId ?? '';
    if (isTemporary(workspaceId)) for (const { hash } of files) this.#passing.set(hash, isAllowed);
    else
      await this.#options.store.updateSetting(ANSWERS, (stored) => {
        const before = answersSchema.safeParse(stored ?? {}).data ?? {};
        const hashes = new Set(files.map(({ hash }) => hash));
        const kept = Object.entries(before).filter(([hash]) => !hashes.has(hash));
        const added = [...hashes].map((hash) => [hash, isAllowed] as const);
        return Object.fromEntries([...kept, ...added].slice(-ANSWERS_MAX));
      });
    await this.refresh();
  }

  /**
   * Finds the contents that the person allowed last in files of the shown workspace, by the hashes of the present contents, so
   * that the person can compare both. Leaves out those that are still present, and those that the history no longer has.
   */
  async lastAllowed(
    files: readonly Pick<ProjectFile, 'path' | 'shown' | 'hash'>[],
  ): Promise<ReadonlyMap<string, string>> {
    const { history } = await this.#options.open(this.state.getState()?.workspaceId ?? '');
    const answers = await this.#answers();
    const found = new Map<string, string>();
    /** The files without a result yet, each with the number of contents that may still be read. */
    const open = new Map(files.map((file) => [file.path, { ...file, left: EARLIER_MAX }]));
    for (const { changes } of await history.steps(history.floor))
      for (const { path, before } of changes) {
        const file = open.get(path);
        if (file === undefined || before?.type !== 'file' || before.size > PROJECT_FILE_MAX_BYTES) continue;
        file.left -= 1;
        if (file.left <= 0) open.delete(path);
        const bytes = await history.read(before, path).catch(() => undefined);
        const text = bytes && decodeUtf8(bytes);
        if (text === undefined || answers[await contentHash(path, text)] !== true) continue;
        open.delete(path);
        if (text !== file.shown) found.set(file.hash, text);
      }
    return found;
  }

  async #answers(): Promise<Readonly<Record<string, boolean>>> {
    const stored = answersSchema.safeParse((await this.#options.store.setting(ANSWERS)) ?? {}).data;
    return { ...stored, ...Object.fromEntries(this.#passing) };
  }

  async #read(workspaceId: string): Promise<FoundProject> {
    const { fileSystem } = await this.#options.open(workspaceId);
    const { files, problems } = await readProject(fileSystem, this.#options.wanted(workspaceId));
    const unusable: ProjectProblem[] = [];
    for (const { tool, hash, path } of files) {
      const made = tool && (await this.#toolOf(workspaceId, tool, hash));
      if (typeof made === 'string') unusable.push({ path, code: 'not-usable', reason: made });
    }
    const left = new Set(unusable.map(({ path }) => path));
    return { files: files.filter(({ path }) => !left.has(path)), problems: [...problems, ...unusable] };
  }

  /**
   * Offers the tools in files that the person has allowed, and names the reasons why others are missing. Tools that have not
   * changed stay the same objects.
   */
  async #offer(
    workspaceId: string,
    { files, problems }: FoundProject,
    answers: ProjectState['answers'],
  ): Promise<void> {
    const missing = new Map<string, string>();
    const offered: Tool[] = [];
    for (const { path, name, tool, hash } of files) {
      if (tool === undefined) continue;
      const answer = answers[hash];
      const made = answer === true ? await this.#toolOf(workspaceId, tool, hash) : undefined;
      if (typeof made === 'object') offered.push(made);
      else missing.set(name, missingTool(path, answer === false ? 'refused' : 'waiting'));
    }
    for (const { path, reason = 'It is too large, or not text.' } of problems)
      if (isWithin(path, WORKSPACE_TOOLS_FOLDER))
        missing.set(basename(path).replace(/\.js$/, ''), missingTool(path, { reason }));
    this.#options.offer(workspaceId, offered, missing);
  }

  /** The tool in a file, or why it cannot be offered. */
  async #toolOf(workspaceId: string, file: WorkspaceToolFile, hash: string): Promise<Tool | string> {
    let maker = this.#makers.get(workspaceId);
    if (maker === undefined) {
      // Few workspaces have tools, and the first visit needs none.
      const { WorkspaceToolMaker } = await import('#lib/sources/workspace-tools/workspace-tool.ts');
      maker = this.#makers.get(workspaceId) ?? new WorkspaceToolMaker(this.#toolOptions(workspaceId));
      this.#makers.set(workspaceId, maker);
    }
    return maker.toolOf({ tool: file, hash });
  }

  #toolOptions(workspaceId: string): ConstructorParameters<typeof WorkspaceToolMaker>[0] {
    return {
      isTaken: (name) => this.#options.registry.get(name) !== undefined,
      isCurrent: async (path, hash) => {
        const { fileSystem } = await this.#options.open(workspaceId);
        return (await hasContent(fileSystem, path, hash)) && (await this.#answers())[hash] === true;
      },
    };
  }

  #readSoon(workspaceId: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // It stays as it was read last; the next change, or turn, reads it again.
      this.refresh(workspaceId).catch(() => undefined);
    }, SETTLE_MS);
  }
}
