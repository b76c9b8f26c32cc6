import { describe, expect, test } from 'vitest';
import { parseScenario } from './scenario.ts';

const MINIMAL = `
title: A scenario
variants:
  - language: en
    prompts: [Do it.]
expect: {}
`;

const FULL = `
title: Write a file
workspace:
  /a.txt: alpha
permission: deny
variants:
  - language: zh
    prompts: [写一个文件, 再写一个]
    answer: ['完成|done']
    turns:
      - - text: Writing.
          reasoning: I must write.
          calls:
            - { name: write_file, arguments: '{"path":"/b.txt","content":"b"}' }
          prompted: |-
            Writing.
          codecs: { raw: Raw., xml: XML., delimited: Lines. }
        - prompted: Done.
      - - prompted: Done again.
expect:
  order: set
  calls:
    - tool: write_file
      input: { path: 'b\\.txt$' }
      outcome: denied
  files:
    /a.txt: { matches: ['^alpha$'], notMatches: ['beta'] }
    /b.txt: absent
  maxSteps: 4
`;

/** The message of the error that parsing throws. */
function refusal(source: string): string {
  try {
    parseScenario(source, 'scenarios/bad.yaml');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('The scenario was accepted.');
}

describe('a scenario file', () => {
  test('may omit everything that has a default', () => {
    expect(parseScenario(MINIMAL, 'a.yaml')).toEqual({
      title: 'A scenario',
      workspace: {},
      permission: 'allow',
      variants: [{ language: 'en', prompts: ['Do it.'], answer: [] }],
      expect: { calls: [], order: 'sequence', files: {} },
    });
  });

  test('is read completely, patterns as regular expressions', () => {
    const scenario = parseScenario(FULL, 'a.yaml');
    expect(scenario).toMatchObject({
      workspace: { '/a.txt': 'alpha' },
      permission: 'deny',
      expect: { order: 'set', maxSteps: 4, files: { '/b.txt': 'absent' } },
    });
    expect(scenario.variants[0]?.turns?.map((turns) => turns.length)).toEqual([2, 1]);
    expect(scenario.variants[0]?.turns?.[0]?.[1]).toEqual({ text: '', calls: [], prompted: 'Done.' });
    expect(scenario.expect.calls).toEqual([{ tool: 'write_file', input: { path: /b\.txt$/isu }, outcome: 'denied' }]);
  });

  test('has patterns that ignore case, cross lines, and know characters beyond the first plane', () => {
    const [pattern] = parseScenario(FULL.replace('完成|done', '^a.b 🙂{2}$'), 'a.yaml').variants[0]?.answer ?? [];
    expect(pattern?.test('A\nB 🙂🙂')).toBe(true);
  });
});

describe('a scenario file that is wrong is refused, with its name and', () => {
  test.each<[string, string, string]>([
    ['a field that is missing', MINIMAL.replace('title: A scenario', ''), 'title'],
    ['an unknown field', `${MINIMAL}\nexpects: {}`, 'expects'],
    ['an unknown field in a variant', MINIMAL.replace('prompts:', 'prompt: x\n    prompts:'), 'prompt'],
    ['an unknown language', MINIMAL.replace('language: en', 'language: de'), 'variants[0].language'],
    ['no variants', MINIMAL.replace(/variants:[\s\S]*expect/, 'variants: []\nexpect'), 'variants'],
    ['no prompts', MINIMAL.replace('[Do it.]', '[]'), 'variants[0].prompts'],
    ['an empty prompt', MINIMAL.replace('[Do it.]', "['']"), 'variants[0].prompts[0]'],
    ['a path that is not absolute', FULL.replace('  /a.txt: alpha', '  a.txt: alpha'), 'a.txt'],
    ['an unknown outcome', FULL.replace('outcome: denied', 'outcome: refused'), 'expect.calls[0].outcome'],
    ['an unknown order', FULL.replace('order: set', 'order: any'), 'expect.order'],
    ['a step limit of 0', FULL.replace('maxSteps: 4', 'maxSteps: 0'), 'expect.maxSteps'],
    ['an invalid pattern', FULL.replace("'b\\.txt$'", "'(b'"), 'is not a regular expression'],
    [
      'a scripted reply without the prompted form',
      FULL.replace('- - prompted: Done again.', '- - text: Done.'),
      'prompted',
    ],
    ['not an object', '- just\n- a list', 'expected object'],
    ['empty', '', 'expected object'],
  ])('%s', (_, source, reason) => {
    const message = refusal(source);
    expect(message).toContain('scenarios/bad.yaml');
    expect(message).toContain(reason);
  });

  test('the line of a YAML syntax error', () => {
    const message = refusal('title: "never closed\nexpect: {}');
    expect(message).toContain('scenarios/bad.yaml');
    expect(message).toContain('line');
  });

  test('both numbers if prompts and scripted replies do not match', () => {
    const message = refusal(FULL.replace('prompts: [写一个文件, 再写一个]', 'prompts: [写一个文件]'));
    expect(message).toBe('scenarios/bad.yaml: the zh variant has 1 prompts but turns for 2');
  });

  test('a file expectation that checks nothing', () => {
    const source = FULL.replace("{ matches: ['^alpha$'], notMatches: ['beta'] }", '{ matches: [] }');
    expect(refusal(source)).toContain('expect.files["/a.txt"]');
  });
});
