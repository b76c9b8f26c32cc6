import { contentHash } from '#lib/sources/workspace-tools/content-hash.ts';
import { findWorkspaceTools } from '#lib/sources/workspace-tools/find-workspace-tools.ts';
import { WORKSPACE_TOOLS_FOLDER } from '#lib/sources/workspace-tools/limits.ts';
import type { WorkspaceToolFile } from '#lib/sources/workspace-tools/workspace-tool-file.ts';
import { CATALOGUE_LIMITS } from '#lib/tools/core/limits.ts';
import { SKILL_FILE, SKILLS_FOLDER } from '#lib/tools/files/read-skill.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { basename, dirname, isWithin, joinPath } from '#lib/vfs/paths.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';
import { frontMatterOf } from './front-matter.ts';
import type { PromptFile } from './prompt-file.ts';
import { PROMPT_LIMITS, PROMPTS_FOLDER } from './prompt-limits.ts';

/** The file that instructs models about a project, in its root and in any folder. */
const INSTRUCTIONS_FILE = 'AGENTS.md';

/** The largest instructions, skill, or prompt that is read, in bytes. */
export const PROJECT_FILE_MAX_BYTES = 1_000_000;

/** The purpose of a file of the workspace. */
type ProjectFileKind = 'instructions' | 'skill' | 'tool' | 'prompt';

/** The kinds of files that `readOne` reads. Tools are read by `findWorkspaceTools`. */
type ReadKind = Exclude<ProjectFileKind, 'tool'>;

/** A file of the workspace with instructions, a skill, a tool, or a prompt. */
export interface ProjectFile {
  path: string;
  kind: ProjectFileKind;
  /** The name of a skill, a tool, or a prompt; empty for instructions. */
  name: string;
  /** The part of the file that the model would get: the text, or the description. */
  text: string;
  /** The part of the file that the person is shown: the whole file or, of instructions, only `text`. */
  shown: string;
  /** The hash of the file's path and content. An answer of the person is about this hash, and so about nothing else. */
  hash: string;
  /** Whether `text` is only the beginning, because the rest is too long for the model. */
  isCut: boolean;
  /** The tool, if `kind` is `tool`. */
  tool?: WorkspaceToolFile;
  /** The prompt, if `kind` is `prompt`. */
  prompt?: PromptFile;
}

/**
 * A file with instructions, a skill, a tool, or a prompt that cannot be used. `reason`: what is wrong with it, as a sentence;
 * only for `not-usable`.
 */
export interface ProjectProblem {
  path: string;
  code: 'too-large' | 'not-text' | 'no-description' | 'long-name' | 'not-usable';
  reason?: string;
}

export interface FoundProject {
  files: readonly ProjectFile[];
  problems: readonly ProjectProblem[];
}

/**
 * Checks whether a path may be that of a file that `readProject` reads. `named`: the paths of further files with
 * instructions, which the settings name.
 */
export const concernsProject = (path: string, named: readonly string[]): boolean =>
  basename(path) === INSTRUCTIONS_FILE ||
  [SKILLS_FOLDER, WORKSPACE_TOOLS_FOLDER, PROMPTS_FOLDER].some((folder) => isWithin(path, folder)) ||
  named.includes(path);

/**
 * Reads the files of a workspace for the model: the instructions in its root, in the nearest folder above the path `near` that
 * has some, and in the files `named`; its skills, its tools, and its prompts. Missing files are left out; `problems` has those
 * that cannot be used.
 */
export async function readProject(
  fileSystem: Pick<FileSystem, 'readFile' | 'stat' | 'readdir'>,
  { named, near }: { named: readonly string[]; near: string | undefined },
): Promise<FoundProject> {
  const files: ProjectFile[] = [];
  const problems: ProjectProblem[] = [];
  const take = async (path: string, kind: ReadKind, name = ''): Promise<boolean> => {
    const found = await readOne(fileSystem, path, { kind, name });
    if (found === undefined) return false;
    if ('code' in found) problems.push(found);
    else files.push(found);
    return true;
  };
  const root = joinPath('/', INSTRUCTIONS_FILE);
  for (const path of [...new Set([root, ...named])].slice(0, CATALOGUE_LIMITS.instructions - 1))
    await take(path, 'instructions');
  for (let folder = near === undefined ? '/' : dirname(near); folder !== '/'; folder = dirname(folder)) {
    const path = joinPath(folder, INSTRUCTIONS_FILE);
    if (named.includes(path) || (await take(path, 'instructions'))) break;
  }
  const skills = await fileSystem.readdir(SKILLS_FOLDER).catch(nothing);
  for (const { name, type } of skills.slice(0, CATALOGUE_LIMITS.skills))
    if (type !== 'file') await take(`${SKILLS_FOLDER}/${name}/${SKILL_FILE}`, 'skill', name);
  const own = await findWorkspaceTools(fileSystem);
  files.push(...own.tools.map(({ tool, hash }) => toolFile(tool, hash)));
  problems.push(...own.problems);
  const entries = await fileSystem.readdir(PROMPTS_FOLDER).catch(nothing);
  const prompts = entries.filter(({ name, type }) => type === 'file' && name.endsWith(PROMPT_EXTENSION));
  for (const [index, { name }] of prompts.entries()) {
    const path = `${PROMPTS_FOLDER}/${name}`;
    if (index < PROMPT_LIMITS.prompts) await take(path, 'prompt', name.slice(0, -PROMPT_EXTENSION.length));
    else problems.push({ path, code: 'not-usable', reason: `Only the first ${PROMPT_LIMITS.prompts} are used.` });
  }
  return { files, problems };
}

const PROMPT_EXTENSION = '.md';

const toolFile = (tool: WorkspaceToolFile, hash: string): ProjectFile => ({
  path: tool.path,
  kind: 'tool',
  name: tool.name,
  text: tool.description,
  shown: tool.source,
  hash,
  isCut: false,
  tool,
});

/** Returns no entries if the error is that of a folder that cannot be read; throws any other error. */
function nothing(error: unknown): [] {
  if (error instanceof FileSystemError) return [];
  throw error;
}

async function readOne(
  fileSystem: Pick<FileSystem, 'readFile' | 'stat'>,
  path: string,
  { kind, name }: { kind: ReadKind; name: string },
): Promise<ProjectFile | ProjectProblem | undefined> {
  try {
    const { size } = await fileSystem.stat(path);
    if (size > PROJECT_FILE_MAX_BYTES) return { path, code: 'too-large' };
    const whole = decodeUtf8(await fileSystem.readFile(path));
    if (whole === undefined) return { path, code: 'not-text' };
    const meaning = await meaningOf(path, whole, kind);
    if (meaning === undefined || 'code' in meaning) return meaning;
    if (name.length > CATALOGUE_LIMITS.name) return { path, code: 'long-name' };
    const max = kind === 'instructions' ? CATALOGUE_LIMITS.instruction : CATALOGUE_LIMITS.skill;
    const text = meaning.text.slice(0, max);
    return {
      path,
      kind,
      name,
      ...meaning,
      text,
      shown: kind === 'instructions' ? text : whole,
      hash: await contentHash(path, whole),
      isCut: meaning.text.length > max,
    };
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

/**
 * Reads from a file what the model would get, by the file's kind; undefined for instructions without text, a problem for a file
 * that cannot be used.
 */
async function meaningOf(
  path: string,
  whole: string,
  kind: ReadKind,
): Promise<Pick<ProjectFile, 'text' | 'prompt'> | ProjectProblem | undefined> {
  switch (kind) {
    case 'instructions':
      return whole.trim() === '' ? undefined : { text: whole };
    case 'skill': {
      const { values, fault } = frontMatterOf(whole);
      if (fault !== undefined) return { path, code: 'not-usable', reason: fault };
      const { description } = values;
      if (typeof description !== 'string' || description.trim() === '') return { path, code: 'no-description' };
      return { text: description.replaceAll(/\s+/g, ' ').trim() };
    }
    case 'prompt': {
      const { readPrompt } = await import('./prompt-file.ts');
      const prompt = readPrompt(whole);
      return 'reason' in prompt
        ? { path, code: 'not-usable', reason: prompt.reason }
        : { text: prompt.description, prompt };
    }
  }
}
