import { count } from './en.ts';

/**
 * The texts in English about instructions, skills, tools, and prompts in a workspace's files. They are loaded with the views
 * that show them.
 */
export const projectTexts = {
  notice: (paths: string) =>
    `This workspace has instructions, tools, or prompts: ${paths}. Nothing is used until you allow it.`,
  others: (n: number) => count(n, 'other file', 'other files'),
  /** After the first file that can’t be used. */
  alsoUnusable: (n: number) => `${count(n, 'other file', 'other files')} also can’t be used.`,
  look: 'Review…',
  ignore: 'Ignore',
  title: 'Project files in this workspace',
  help: 'Only the files that you allow are used. You’ll be asked again when one changes.',
  kinds: {
    instructions: 'Instructions: the model gets them with each message.',
    skill: 'Skill: the model sees what it’s for, and reads the rest when needed.',
    tool: 'Tool: the model can call it. Its code runs in the sandbox.',
    prompt: 'Prompt: you can insert it with “/” in the message box.',
  },
  promptHelp: 'The text is inserted into the message box, where you can read and edit it before you send it.',
  cut: 'Only the beginning is used, because the file is too long.',
  changed: 'It has changed since you allowed it:',
  allow: (path: string) => `Allow ${path}`,
  save: 'Save',
  problems: {
    'too-large': 'Not used: the file is larger than 1 MB.',
    'not-text': 'Not used: the file isn’t UTF-8 text.',
    'long-name': 'Not used: the name of the skill is too long.',
    'no-description': 'Not used: the file doesn’t begin with a description.',
    'not-usable': 'Not used.',
  },
  section: 'Project files',
  sectionHelp:
    'The studio looks for AGENTS.md, skills in .agents/skills, and tools and prompts in .roundtrip. It asks you about each version once.',
  further: 'Additional files',
  furtherHelp: 'Paths in any workspace, separated by commas, such as /CLAUDE.md.',
  furtherFault: (path: string) => `“${path}” isn’t a valid path. Start it with “/”.`,
  show: 'Review project files…',
  none: 'This workspace has no project files.',
};

export type ProjectTexts = typeof projectTexts;
