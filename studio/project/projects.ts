import * as z from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isTemporary } from '#lib/threads/temporary.ts';
import type { ThreadStore } from '#lib/threads/thread-store.ts';
import type { Project } from '#lib/tools/core/catalogue.ts';
import type { ToolRegistry } from '#lib/tools/core/registry.ts';
import { readSkillTool } from '#lib/tools/files/read-skill.ts';
import type { OpenedWorkspace } from '../opened-workspace.ts';
import { concernsProject, contentName, type FoundProject, type ProjectFile, readProject } from './project-files.ts';

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
  /** Paths that the settings name besides, and the file that the person has open. */
  wanted(workspaceId: string): { named: readonly string[]; near: string | undefined };
}

/**
 * What workspaces tell the model: instructions and skills in their files. Whoever can write a file could instruct the model
 * with it, so a content counts only once the person has said so.
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
    if (allowed.length === 0) return undefined;
    const skills = allowed.flatMap(({ skill, text }) =>
      skill === undefined ? [] : [{ name: skill, description: text }],
    );
    if (skills.length > 0 && !this.#hasSkills) {
      this.#options.registry.add([this.#readSkill]);
      this.#hasSkills = true;
    }
    const instructions = allowed.flatMap(({ skill, path, text, hash }) =>
      skill === undefined ? [{ path, text, hash }] : [],
    );
    return { instructions, skills };
  }

  /**
   * What a workspace tells the model in a turn: in all of its steps the same, as long as the page is open. After that, it is
   * read again; what a stored step was told may come from anywhere.
   */
  async forTurn(turnId: string, workspaceId: string): Promise<Project | undefined> {
    const told = this.#told.get(turnId) ?? this.of(workspaceId);
    this.#told.set(turnId, told);
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
    return readProject(fileSystem, this.#options.wanted(workspaceId));
  }

  #readSoon(workspaceId: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.refresh(workspaceId).catch(() => undefined);
    }, SETTLE_MS);
  }
}
