import * as z from 'zod';
import { FileSystemError } from '#lib/vfs/errors.ts';
import { isWithin, joinPath, resolvePath } from '#lib/vfs/paths.ts';
import { defineTool } from '../core/tool.ts';
import { ToolFailure } from '../core/tool-call.ts';
import { SKILLS } from '../toolset-names.ts';
import { readTextFile } from './text-file.ts';

/** The workspace folder with the project's skills (instructions for tasks); each skill is a folder in it. */
export const SKILLS_FOLDER = '/.agents/skills';
/** The name of a skill's main file, which has the purpose of the skill, and its instructions. */
export const SKILL_FILE = 'SKILL.md';

/** The most further files of a skill that a result names. */
const NAMED_FILES = 50;

interface ReadSkillOptions {
  /** Checks whether the person has allowed this text of a skill's main file. */
  isAllowed(path: string, text: string): Promise<boolean>;
}

/**
 * Makes the tool that reads a skill of the project: its main file, with the names of its other files, or one of these. For a
 * main file that the person has not allowed as it is now, the call fails as `denied`.
 */
export const readSkillTool = ({ isAllowed }: ReadSkillOptions) =>
  defineTool({
    name: 'read_skill',
    description:
      'Returns a skill of the project: how something is done there, and the names of its further files, which are read with “file”.',
    inputSchema: z.object({
      name: z.string().min(1).max(128).describe('The name of the skill.'),
      file: z.string().max(1_000).optional().describe('A further file of the skill, relative to it.'),
    }),
    toolset: SKILLS,
    effect: 'read',
    needs: ['files'],
    examples: [
      {
        description: 'Read a skill before doing what it is about',
        input: { name: 'release' },
        result: '# Release\n\n1. Run the tests.\n\nFurther files: checklist.md',
      },
    ],
    presentation: { verb: 'read', target: 'name', names: ['name'], result: 'text' },
    touches: ({ name, file }) => [
      { path: joinPath(SKILLS_FOLDER, `${name}/${file ?? SKILL_FILE}`), effects: ['read'] },
    ],
    async execute({ name, file }, { files }) {
      const folder = resolvePath(`${SKILLS_FOLDER}/${name}`);
      const path = resolvePath(`${folder}/${file ?? SKILL_FILE}`);
      if (!isWithin(folder, SKILLS_FOLDER) || !isWithin(path, folder))
        throw new ToolFailure('failed', 'The file must be inside the skill’s folder.');
      try {
        const { text } = await readTextFile(files, path);
        if (file !== undefined) return { content: text };
        if (!(await isAllowed(path, text)))
          throw new ToolFailure('denied', `The user has not allowed the current version of the skill “${name}”.`);
        const others = [...files.pathsBelow(folder)]
          .filter((one) => one !== path)
          .map((one) => one.slice(folder.length + 1));
        const shown = others.slice(0, NAMED_FILES).join(', ');
        const more = others.length > NAMED_FILES ? ` and ${others.length - NAMED_FILES} more` : '';
        return { content: others.length === 0 ? text : `${text.trimEnd()}\n\nFurther files: ${shown}${more}` };
      } catch (error) {
        if (!(error instanceof FileSystemError) || error.code !== 'ENOENT') throw error;
        throw new ToolFailure(
          'failed',
          file === undefined ? `There is no skill “${name}”.` : `The skill “${name}” has no file ${file}.`,
        );
      }
    },
  });
