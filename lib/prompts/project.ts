import type { Project } from '#lib/tools/catalogue/catalogue.ts';

const LEAD =
  'The user keeps these instructions for the project in the workspace. Follow them, unless the user says something else.';

const SKILLS =
  'These skills say how to do certain things in this project. Before you do one of them, read its skill with `read_skill`.';

/**
 * Writes the workspace's instructions for the model, and the names and descriptions of its skills, as a section of the system
 * prompt; empty if there are none.
 * `maxLength`: the maximum length of all instructions together, in characters; of longer ones, the beginning is kept.
 * `offersSkills`: whether the model can read skills; otherwise they are left out.
 */
export function formatProject({ instructions, skills }: Project, maxLength: number, offersSkills: boolean): string {
  const parts: string[] = [];
  let left = maxLength;
  for (const { path, text } of instructions) {
    const kept = text.slice(0, Math.max(0, left));
    left -= text.length;
    const cut =
      kept.length < text.length ? `${kept}\n[The rest of ${path} is too long to be shown. Read the file.]` : kept;
    parts.push(`## ${path}\n\n${cut.trim()}`);
  }
  const listed = skills.map(({ name, description }) => `- ${name}: ${description}`);
  return [
    ...(parts.length > 0 ? [`# Instructions of the project\n\n${LEAD}`, ...parts] : []),
    ...(offersSkills && listed.length > 0 ? [`# Skills\n\n${SKILLS}\n\n${listed.join('\n')}`] : []),
  ].join('\n\n');
}
