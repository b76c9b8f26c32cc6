import { count } from './en.ts';

/** The texts about a project’s files in English. They come with the views that show them. */
export const projectTexts = {
  notice: (paths: string) =>
    `This workspace has instructions, tools, or prompts: ${paths}. Nothing is used until you allow it.`,
  others: (n: number) => count(n, 'other file', 'other files'),
  /** After the first file that can’t be used. */
  alsoUnusable: (n: number) => `${count(n, 'other file', 'other files')} can’t be used, either.`,
  look: 'Review…',
  ignore: 'Ignore',
  title: 'Project files in this workspace',
  help: 'Only what you allow is used. You are asked again when a file changes.',
  kinds: {
    instructions: 'Instructions: the model gets them with each message.',
    skill: 'Skill: the model sees what it is for, and reads the rest when it needs it.',
    tool: 'Tool: the model can call it. Its code runs in the sandbox.',
    prompt: 'Prompt: you can insert it with “/” in the message box.',
  },
  promptHelp: 'The text is put into the message box. You can read and change it before you send it.',
  cut: 'Only the beginning is used, because the file is long.',
  changed: 'It has changed since you allowed it:',
  allow: (path: string) => `Allow ${path}`,
  save: 'Save',
  problems: {
    'too-large': 'Not used: the file is larger than 1 MB.',
    'not-text': 'Not used: the file is not UTF-8 text.',
    'long-name': 'Not used: the name of the skill is too long.',
    'no-description': 'Not used: the file doesn’t begin with a description.',
    'not-usable': 'Not used.',
  },
  section: 'Project files',
  sectionHelp:
    'The studio finds AGENTS.md, skills in .agents/skills, and tools and prompts in .roundtrip, and asks about each version once.',
  further: 'Further files',
  furtherHelp: 'Paths in any workspace, separated by commas, such as /CLAUDE.md.',
  furtherFault: (path: string) => `“${path}” is not a path. Begin it with “/”.`,
  show: 'Review this workspace…',
  none: 'This workspace has no project files.',
};

export type ProjectTexts = typeof projectTexts;
