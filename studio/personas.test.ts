import { describe, expect, test } from 'vitest';
import {
  PERSONA_LIMITS,
  type Persona,
  personaFile,
  personaOf,
  readPersona,
  withPersona,
  withRestored,
} from './personas.ts';

const PERSONA: Persona = {
  name: 'Reviewer',
  systemPrompt: 'Review.',
  model: 'a:b',
  toolsets: ['files', 'mcp-tracker'],
  grants: ['browser_js_eval'],
};

const withField = (field: object) =>
  JSON.stringify({ format: 'roundtrip-persona', version: 1, persona: { ...PERSONA, ...field } });

test('a persona that is exported is imported as it is', () => {
  expect(readPersona(personaFile(PERSONA))).toEqual({ persona: PERSONA });
});

test('a persona is made of a thread', () => {
  const { name, grants, ...settings } = PERSONA;
  expect(personaOf(name, { settings, grants })).toEqual(PERSONA);
});

test('an imported persona grants no external tools, and no hidden toolsets', () => {
  const text = withField({ grants: ['mcp-x/send@abc', 'write_file'], toolsets: ['tool-search', 'files'] });
  expect(readPersona(text)).toMatchObject({ persona: { grants: ['write_file'], toolsets: ['files'] } });
});

test('an imported persona lets no tool reach a host', () => {
  const text = withField({ grants: ['web evil.example', 'web evil.example:8443', 'write_file'], toolsets: ['web'] });
  expect(readPersona(text)).toMatchObject({ persona: { grants: ['write_file'], toolsets: ['web'] } });
});

describe('what is no persona is refused', () => {
  test.each<[string, string, string]>([
    ['text', 'You are a reviewer.', 'not-json'],
    ['another file', '{"format":"openai"}', 'not-a-persona'],
    ['a name that is empty', withField({ name: ' ' }), 'not-a-persona'],
    ['a name that is too long', withField({ name: 'x'.repeat(PERSONA_LIMITS.name + 1) }), 'not-a-persona'],
    ['grants without end', withField({ grants: Array(1_000).fill('x') }), 'not-a-persona'],
    [
      'a prompt that is too long',
      withField({ systemPrompt: 'x'.repeat(PERSONA_LIMITS.systemPrompt + 1) }),
      'not-a-persona',
    ],
    ['a file that is too large', ' '.repeat(PERSONA_LIMITS.file + 1), 'too-large'],
  ])('%s', (_, text, fault) => {
    expect(readPersona(text)).toEqual({ fault });
  });
});

test('a name that is taken gets a number, and there is a limit', () => {
  const two = withPersona([PERSONA], PERSONA) ?? [];
  expect(two.map(({ name }) => name)).toEqual(['Reviewer', 'Reviewer 2']);
  expect(withPersona(Array(PERSONA_LIMITS.personas).fill(PERSONA), PERSONA)).toBeUndefined();
});

test('what a backup has is added, replaces nothing, and grants nothing', () => {
  const restored = withRestored(
    [PERSONA],
    [
      { ...PERSONA, model: null },
      { ...PERSONA, name: 'Other' },
    ],
  );
  expect(restored).toEqual([PERSONA, { ...PERSONA, name: 'Other', grants: [] }]);
});
