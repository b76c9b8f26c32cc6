import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { OwnToolFile } from '#lib/own-tools/own-tool-file.ts';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Project } from '#lib/tools/core/catalogue.ts';
import type { ToolRegistry } from '#lib/tools/core/registry.ts';
import type { Tool } from '#lib/tools/core/tool.ts';
import { readSkillTool } from '#lib/tools/files/read-skill.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import type { OpenedWorkspace } from '../opened-workspace.ts';
import {
  concernsProject,
  contentName,
  type FoundProject,
  type ProjectFile,
  type ProjectProblem,
  readProject,
} from './project-files.ts';

const ANSWERS = 'project-answers';

/** How many answers are kept; the oldest are forgotten, and asked for again. */
const ANSWERS_MAX = 1_000;

const answersSchema = z.record(z.string(), z.boolean());

/** For how many turns it is known what they were told. */
const TURNS_KEPT = 100;

/** How long changes of the files are collected before they are read again, in milliseconds. */
const SETTLE_MS = 200;

/** What the shown workspace has to tell the model. */
export interface ProjectState extends FoundProject {
  workspaceId: string;
  /** Whether the person lets it, by the names of the contents; absent if they have not said. */
  answers: Readonly<Record<string, boolean>>;
}

export interface ProjectsOptions {
  store: Pick<ThreadStore, 'setting' | 'updateSetting'>;
  registry: ToolRegistry;
  open(workspaceId: string): Promise<Pick<OpenedWorkspace, 'fileSystem'>>;
  /** Offers these tools in a workspace, in the place of those before. */
  offer(workspaceId: string, tools: readonly Tool[]): void;
  /** Paths that the settings name besides, and the file that the person has open. */
  wanted(workspaceId: string): { named: readonly string[]; near: string | undefined };
}

/**
 * What workspaces have in their files: instructions and skills for the model, tools, and prompts. Whoever can write a
 * file could instruct the model with it, so a content counts only once the person has said so.
 */
export class Projects {
  readonly state: StoreApi<ProjectState | undefined> = createStore<ProjectState | undefined>(() => undefined);
  readonly #options: ProjectsOptions;
  /** Answers about temporary workspaces, of which nothing is stored. */
  readonly #passing = new Map<string, boolean>();
  readonly #told = new Map<string, Promise<Project | undefined>>();
  #leave: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasSkills = false;
  /** The tools of workspaces by the names of their contents, or why there is none. */
  readonly #ownTools = new Map<string, Tool | string>();
  readonly #readSkill = readSkillTool({
    isAllowed: async (path, text) => (await this.#answers())[await contentName(path, text)] === true,
  });

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** What a workspace tells the model now, as far as the person lets it; undefined if that is nothing. */
  async of(workspaceId: string): Promise<Project | undefined> {
    const [{ files }, answers] = await Promise.all([this.#read(workspaceId), this.#answers()]);
    const allowed = files.filter(({ hash }) => answers[hash] === true);
    await this.#offer(workspaceId, allowed);
    const found = allowed.flatMap(({ kind, name, text }) => (kind === 'skill' ? [{ name, description: text }] : []));
    const skills = found.length > 0 && this.#offersSkills() ? found : [];
    const instructions = allowed.flatMap(({ kind, path, text, hash }) =>
      kind === 'instructions' ? [{ path, text, hash }] : [],
    );
    return instructions.length + skills.length === 0 ? undefined : { instructions, skills };
  }

  /** Whether skills can be read, whose tool is offered from the first of them on. Other tools may leave no room for it. */
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

  /** Reads a workspace, so that its tools are on offer. */
  async loadTools(workspaceId: string): Promise<void> {
    await this.of(workspaceId);
  }

  /**
   * What a workspace tells the model in a turn: in all of its steps the same, as long as the page is open. After that, it is
   * read again; what a stored step was told may come from anywhere.
   */
  async forTurn(turnId: string, workspaceId: string): Promise<Project | undefined> {
    // Tools may change within a turn: a model can write one and go on with it.
    const now = this.of(workspaceId);
    const told = this.#told.get(turnId) ?? now;
    this.#told.set(turnId, told);
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

  /** Reads the shown workspace again, after the person has opened another file or changed the settings. */
  async refresh(workspaceId = this.state.getState()?.workspaceId): Promise<void> {
    if (workspaceId === undefined) return;
    const [found, answers] = await Promise.all([this.#read(workspaceId), this.#answers()]);
    this.state.setState({ workspaceId, ...found, answers }, true);
    await this.#offer(
      workspaceId,
      found.files.filter(({ hash }) => answers[hash] === true),
    );
  }

  /** Whether the model may get these contents. Rejects with `StorageError`. */
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

  /** Offers the tools among the files. Those that have not changed stay the same. */
  async #offer(workspaceId: string, allowed: readonly ProjectFile[]): Promise<void> {
    const made = await Promise.all(
      allowed.flatMap(({ tool, hash }) => (tool === undefined ? [] : [this.#toolOf(workspaceId, tool, hash)])),
    );
    this.#options.offer(
      workspaceId,
      made.filter((tool) => typeof tool !== 'string'),
    );
  }

  /** The tool in a file, or why it cannot be offered. */
  async #toolOf(workspaceId: string, file: OwnToolFile, hash: string): Promise<Tool | string> {
    // Few workspaces have tools, and the first visit needs none.
    const [{ ownTool }, { isReservedName }] = await Promise.all([
      import('#lib/own-tools/own-tool.ts'),
      import('#lib/tools/tool-search/finders.ts'),
    ]);
    if (isReservedName(file.name) || this.#options.registry.get(file.name) !== undefined)
      return 'Another tool has this name. Rename the file.';
    const key = `${workspaceId} ${hash}`;
    let made = this.#ownTools.get(key);
    if (made === undefined) {
      try {
        made = ownTool(file, { hash, isCurrent: () => this.#isCurrent(workspaceId, file.path, hash) });
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'ToolDefinitionError') throw error;
        made = error.message;
      }
      this.#ownTools.set(key, made);
    }
    return made;
  }

  /** Whether a file is still the one that was allowed. */
  async #isCurrent(workspaceId: string, path: string, hash: string): Promise<boolean> {
    const { fileSystem } = await this.#options.open(workspaceId);
    const bytes = await fileSystem.readFile(path).catch(() => undefined);
    const text = bytes && decodeUtf8(bytes);
    return text !== undefined && (await contentName(path, text)) === hash && (await this.#answers())[hash] === true;
  }

  #readSoon(workspaceId: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.refresh(workspaceId).catch(() => undefined);
    }, SETTLE_MS);
  }
}
