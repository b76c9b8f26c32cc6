import { parse } from 'yaml';
import { sha256 } from '#lib/base/sha256.ts';
import { CATALOGUE_LIMITS } from '#lib/tools/core/limits.ts';
import { SKILL_FILE, SKILLS_FOLDER } from '#lib/tools/files/read-skill.ts';
import { FileSystemError } from '#lib/vfs/errors.ts';
import type { FileSystem } from '#lib/vfs/file-system.ts';
import { basename, dirname, isWithin, joinPath } from '#lib/vfs/paths.ts';
import { decodeUtf8 } from '#lib/vfs/text.ts';

/** The file that instructs models about a project, in its root and in any folder. */
export const INSTRUCTIONS_FILE = 'AGENTS.md';

/** The largest file of these kinds that is read, in bytes. */
export const PROJECT_FILE_MAX_BYTES = 1_000_000;

/** A file of the workspace that has something to tell the model. */
export interface ProjectFile {
  path: string;
  /** What the model would get of it: the text, or what a skill is for. */
  text: string;
  /** What the person is shown of it: of a skill, all that can be read. */
  shown: string;
  /** The skill's name; undefined for instructions. */
  skill: string | undefined;
  /** Names the whole content: whoever has allowed it has allowed nothing else. */
  hash: string;
  /** Whether only its beginning is used. */
  isCut: boolean;
}

/** A file of these kinds that cannot be used. */
export interface ProjectProblem {
  path: string;
  code: 'too-large' | 'not-text' | 'no-description' | 'long-name';
}

export interface FoundProject {
  files: readonly ProjectFile[];
  problems: readonly ProjectProblem[];
}

/** Names a content at a path. */
export const contentName = (path: string, text: string): Promise<string> => sha256(`${path}\n${text}`);

/** How much of a skill's file is searched for its description, in characters: reading more could take long. */
const FRONT_MAX = 8_000;

/** Whether a change of a path may change what the workspace tells the model. */
export const concernsProject = (path: string, named: readonly string[]): boolean =>
  basename(path) === INSTRUCTIONS_FILE || isWithin(path, SKILLS_FOLDER) || named.includes(path);

/**
 * Reads what a workspace has to tell the model: the instructions of its root, of the folder nearest to a path, and of what
 * is named besides; and its skills.
 */
export async function readProject(
  fileSystem: Pick<FileSystem, 'readFile' | 'stat' | 'readdir'>,
  { named, near }: { named: readonly string[]; near: string | undefined },
): Promise<FoundProject> {
  const files: ProjectFile[] = [];
  const problems: ProjectProblem[] = [];
  const take = async (path: string, skill: string | undefined): Promise<boolean> => {
    const found = await readOne(fileSystem, path, skill);
    if (found === undefined) return false;
    if ('code' in found) problems.push(found);
    else files.push(found);
    return true;
  };
  const root = joinPath('/', INSTRUCTIONS_FILE);
  for (const path of [...new Set([root, ...named])].slice(0, CATALOGUE_LIMITS.instructions - 1))
    await take(path, undefined);
  for (let folder = near === undefined ? '/' : dirname(near); folder !== '/'; folder = dirname(folder)) {
    const path = joinPath(folder, INSTRUCTIONS_FILE);
    if (named.includes(path) || (await take(path, undefined))) break;
  }
  const skills = await fileSystem.readdir(SKILLS_FOLDER).catch(nothing);
  for (const { name, type } of skills.slice(0, CATALOGUE_LIMITS.skills))
    if (type !== 'file') await take(`${SKILLS_FOLDER}/${name}/${SKILL_FILE}`, name);
  return { files, problems };
}

/** What cannot be read is not there. */
function nothing(error: unknown): [] {
  if (error instanceof FileSystemError) return [];
  throw error;
}

async function readOne(
  fileSystem: Pick<FileSystem, 'readFile' | 'stat'>,
  path: string,
  skill: string | undefined,
): Promise<ProjectFile | ProjectProblem | undefined> {
  try {
    const { size } = await fileSystem.stat(path);
    if (size > PROJECT_FILE_MAX_BYTES) return { path, code: 'too-large' };
    const whole = decodeUtf8(await fileSystem.readFile(path));
    if (whole === undefined) return { path, code: 'not-text' };
    if (skill === undefined && whole.trim() === '') return undefined;
    const text = skill === undefined ? whole : descriptionIn(whole);
    if (text === undefined) return { path, code: 'no-description' };
    if ((skill?.length ?? 0) > CATALOGUE_LIMITS.name) return { path, code: 'long-name' };
    const max = skill === undefined ? CATALOGUE_LIMITS.instruction : CATALOGUE_LIMITS.skill;
    return {
      path,
      text: text.slice(0, max),
      skill,
      shown: skill === undefined ? text.slice(0, max) : whole,
      hash: await contentName(path, whole),
      isCut: text.length > max,
    };
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

/** What a skill is for, as the beginning of its file says; undefined if it does not. */
function descriptionIn(text: string): string | undefined {
  const front = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text.slice(0, FRONT_MAX))?.[1];
  if (front === undefined) return undefined;
  try {
    const { description }: { description?: unknown } = parse(front, { maxAliasCount: 0, uniqueKeys: false }) ?? {};
    if (typeof description !== 'string' || description.trim() === '') return undefined;
    return description.replaceAll(/\s+/g, ' ').trim();
  } catch {
    return undefined;
  }
}
