import { expect, test } from 'vitest';
import { laterTexts } from '#components/i18n/later-texts.ts';
import { toolRegistry } from '#lib/tools/toolsets.ts';
import { callPhrase } from './call-phrase.ts';

test.each([
  ['read_file', 'running', undefined, 'Reading'],
  ['read_file', 'failed', undefined, 'Read'],
  ['write_file', 'done', { added: 3, removed: 0 }, 'Wrote'],
  ['write_file', 'done', { added: 3, removed: 1 }, 'Edited'],
  ['edit_file', 'done', { added: 1, removed: 1 }, 'Edited'],
  ['execute_bash', 'asking', undefined, 'Run'],
] as const)('%s, %s', (name, state, changed, phrase) =>
  expect(callPhrase(toolRegistry.get(name), name, state, laterTexts, changed)).toBe(phrase),
);

test('a tool that is not there is called by its name', () =>
  expect(callPhrase(undefined, 'their_tool', 'done', laterTexts)).toBe('their_tool'));
