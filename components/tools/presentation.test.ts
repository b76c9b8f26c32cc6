import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from '#components/i18n/en.ts';
import { LANGUAGES } from '#components/i18n/languages.ts';
import { laterTexts } from '#components/i18n/later-texts.ts';
import { TOOL_VERBS } from '#lib/tools/core/presentation.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { askedSentence } from './asked-sentence.ts';
import { shownArgument } from './shown-argument.ts';

const COMPONENTS = join(import.meta.dirname, '..');

describe('a tool’s question and card come from its definition', () => {
  test('no view names a tool', () => {
    const names = toolRegistry.list().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    // Short aliases, such as `read`, are words like any other.
    const telling = names.filter((name) => name.includes('_'));
    expect(telling.length).toBeGreaterThan(30);
    const quoted = new RegExp(`['"\`](?:${telling.join('|')})['"\`]`);
    const files = readdirSync(COMPONENTS, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)test\//.test(file),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => quoted.test(readFileSync(join(COMPONENTS, file), 'utf8')))).toEqual([]);
  });

  test.each(LANGUAGES)('every verb has its sentence, and no other ($locale)', async ({ load }) => {
    expect(Object.keys({ ...laterTexts, ...(await load()) }.tools.asks).sort()).toEqual([...TOOL_VERBS].sort());
  });

  const sentence = (name: string, input: object) => {
    const tool = toolRegistry.get(name);
    if (tool === undefined) throw new Error(`there is no ${name}`);
    return askedSentence(tool, new Map(Object.entries(input)), { ...en, ...laterTexts });
  };

  test('the sentence names what the presentation says, with defaults, and the files of a patch', () => {
    expect(sentence('execute_bash', { command: 'ls' })).toBe(
      'The model wants to run this command on your workspace files, in /.',
    );
    const patch = '*** Begin Patch\n*** Add File: a.txt\n+a\n*** Delete File: /b.txt\n*** End Patch';
    expect(sentence('apply_patch', { patch })).toBe('The model wants to apply this patch to /a.txt and /b.txt.');
    expect(sentence('preview_console', {})).toBe('The model wants to call preview_console.');
  });

  test('bidirectional control characters in a sentence are shown, not applied', () => {
    expect(sentence('read_file', { path: '/a\u202egpj.exe' })).toContain('/a\\u202egpj.exe');
  });

  test.each([
    ['browser_js_eval', { code: '1' }, 'javascript', '1', ['code']],
    ['execute_bash', { command: 'ls' }, 'bash', 'ls', ['command']],
    ['write_file', { path: '/a.ts', content: 'x' }, 'typescript', 'x', ['content', 'path']],
    ['edit_file', { path: '/a', find: 'one', replace: 'two' }, 'diff', '-one\n+two', ['replace', 'find']],
    ['multi_edit', { path: '/a', edits: [{ find: 'one', replace: '' }] }, 'diff', '-one', ['edits']],
    [
      'multi_edit',
      { path: '/a', edits: [{ find: 'one', replace: 'two', replaceAll: true }] },
      ...(['diff', '@@ 1 of 1, replaceAll: true @@\n-one\n+two', ['edits']] as const),
    ],
    ['apply_patch', { patch: '*** Begin Patch' }, 'diff', '*** Begin Patch', ['patch']],
  ])('%s shows one of its arguments in full', (name, input, language, code, covers) => {
    const shown = shownArgument(toolRegistry.get(name), new Map(Object.entries(input)));
    expect(shown).toMatchObject({ code, covers });
    expect(shown?.language).toMatch(language.slice(0, 2));
  });

  test('an argument that has not arrived yet, or has another form, is not shown in full', () => {
    expect(shownArgument(toolRegistry.get('write_file'), new Map([['path', '/a']]))).toBeUndefined();
    expect(shownArgument(toolRegistry.get('multi_edit'), new Map([['edits', 'soon']]))).toBeUndefined();
    expect(shownArgument(undefined, new Map([['code', '1']]))).toBeUndefined();
  });
});
