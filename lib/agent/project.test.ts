import { describe, expect, test } from 'vitest';
import { estimateTokens } from '#lib/base/estimate-tokens.ts';
import { formatProject } from '#lib/prompts/project.ts';
import { catalogueText, type Project, readCatalogue } from '#lib/tools/catalogue/catalogue.ts';
import { readSkillTool } from '#lib/tools/files/read-skill.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { changedInstructions } from './project-notice.ts';
import { describedTools } from './prompt.ts';
import { finishedStep } from './test/messages.ts';

const readSkill = readSkillTool({ isAllowed: async () => true });
const file = (path: string, text: string) => ({ path, text, hash: `hash of ${text}` });
const PROJECT: Project = {
  instructions: [file('/AGENTS.md', 'Use tabs.'), file('/a/AGENTS.md', 'Use spaces.')],
  skills: [{ name: 'release', description: 'Use it to publish a version.' }],
};

test('a catalogue carries what the workspace tells, and without it is what it was', () => {
  expect(readCatalogue(catalogueText([], [], PROJECT)).project).toEqual(PROJECT);
  expect(catalogueText([], [])).toBe('{"tools":[],"fragments":[]}');
});

test('a catalogue with instructions beyond the limits is refused', () => {
  const text = catalogueText([], [], { ...PROJECT, instructions: [file('/AGENTS.md', 'x'.repeat(20_001))] });
  expect(() => readCatalogue(text)).toThrow(/instructions/);
});

describe('the section of the prompt', () => {
  test('names each file, and lists skills if they can be read', () => {
    const text = formatProject(PROJECT, 10_000, true);
    expect(text).toContain('## /AGENTS.md\n\nUse tabs.\n\n## /a/AGENTS.md\n\nUse spaces.');
    expect(text).toContain('- release: Use it to publish a version.');
    expect(formatProject(PROJECT, 10_000, false)).not.toContain('release');
    expect(formatProject({ instructions: [], skills: [] }, 10_000, true)).toBe('');
  });

  test('keeps the beginning of what is too long, and says so', () => {
    const project = { instructions: [file('/AGENTS.md', 'x'.repeat(100)), file('/b.md', 'never')], skills: [] };
    const text = formatProject(project, 60, true);
    expect(text).toContain(`${'x'.repeat(60)}\n[The rest of /AGENTS.md is too long to be shown. Read the file.]`);
    expect(text).toContain('[The rest of /b.md is too long');
    expect(text).not.toContain('never');
  });

  test('of eleven skills costs at most 1,200 tokens, with the tool that reads them', () => {
    const skills = Array.from({ length: 11 }, (_, n) => ({
      name: `a-skill-with-a-name-${n}`,
      description: 'word '.repeat(60),
    }));
    const section = estimateTokens(formatProject({ instructions: [], skills }, 10_000, true));
    const tool = estimateTokens(JSON.stringify([readSkill.name, readSkill.description, readSkill.inputSchema]));
    expect(section + tool).toBeLessThanOrEqual(1_200);
  });
});

test('the tool that reads skills is offered where there are skills and files', () => {
  const names = (project: Project | undefined, toolsets: string[]) => {
    const { tools } = readCatalogue(catalogueText([...toolRegistry.list(), readSkill], []));
    return describedTools({ tools, project }, { toolsets, budgetTokens: 100_000 }).map(({ name }) => name);
  };
  expect(names(PROJECT, ['files'])).toContain('read_skill');
  expect(names(PROJECT, ['browser'])).not.toContain('read_skill');
  expect(names({ ...PROJECT, skills: [] }, ['files'])).not.toContain('read_skill');
  expect(names(undefined, ['files'])).not.toContain('read_skill');
});

describe('a change of the instructions', () => {
  const branch = (project: { path: string; hash: string }[] | undefined) => {
    const step = finishedStep('local');
    return [
      {
        id: 'turn',
        role: 'assistant' as const,
        createdAt: 0,
        status: { type: 'done' as const },
        parts: [{ ...step, settings: { ...step.settings, ...(project !== undefined && { project }) } }],
      },
    ];
  };
  const [one, other] = [
    { path: '/AGENTS.md', hash: '1' },
    { path: '/AGENTS.md', hash: '2' },
  ];

  test('is said once, with the files that have changed, come, or gone', () => {
    const notice = (paths: string[]) => [{ code: 'instructions-changed', paths }];
    expect(changedInstructions(branch([one]), { project: [other] })).toEqual(notice(['/AGENTS.md']));
    expect(changedInstructions(branch([one]), {})).toEqual(notice(['/AGENTS.md']));
    expect(changedInstructions(branch(undefined), { project: [one] })).toEqual(notice(['/AGENTS.md']));
    expect(changedInstructions(branch([one]), { project: [one, { path: '/b.md', hash: '3' }] })).toEqual(
      notice(['/b.md']),
    );
  });

  test('is none if they are the same, or nothing was said before', () => {
    expect(changedInstructions(branch([one]), { project: [one] })).toEqual([]);
    expect(changedInstructions([], { project: [one] })).toEqual([]);
  });
});
