import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryFileSystem } from '#lib/vfs/memory-file-system.ts';
import { fill } from '#lib/vfs/test/contract.ts';
import { toolRegistry } from '../toolsets.ts';
import { type PathPolicy, type PathRule, pathRulesSchema } from './path-rule.ts';
import { guardOf, idleReason, judgeCall, PathRules, patternProblem } from './path-rules.ts';

const rule = (pattern: string, policy: PathPolicy = 'deny', effects: PathRule['effects'] = ['read', 'write']) =>
  ({ pattern, effects, policy }) satisfies PathRule;

const matches = (pattern: string, path: string, policy: PathPolicy = 'deny'): boolean =>
  new PathRules([rule(pattern, policy)]).ruleFor(path, 'read') !== undefined;

describe('a pattern', () => {
  test.each([
    // Without a slash, it is about every name on the path.
    ['.env*', '/.env', true],
    ['.env*', '/a/b/.env.local', true],
    ['.env*', '/.env.d/file', true],
    ['.env*', '/a.env', false],
    ['secrets', '/a/secrets/deep/file', true],
    ['secrets', '/a/secrets2', false],
    ['*', '/a/.b', true],
    // With one, it is about the path from the root, and whatever is below.
    ['/.env', '/.env', true],
    ['/.env', '/a/.env', false],
    ['config/keys', '/config/keys/a', true],
    ['config/keys', '/a/config/keys', false],
    ['/src/*.ts', '/src/a.ts', true],
    ['/src/*.ts', '/src/deep/a.ts', false],
    ['/src/*', '/src/deep/a.ts', true],
    ['**/secrets/**', '/secrets/a', true],
    ['**/secrets/**', '/x/secrets/.a/b', true],
    // Also the folder itself, whose listing has the names.
    ['**/secrets/**', '/x/secrets', true],
    ['/config/**', '/config', true],
    ['/config/**', '/configuration', false],
    ['**/*.{pem,key}', '/a/b.key', true],
    ['**', '/', true],
    ['**', '/a', true],
    ['.env!(.example)', '/.env.local', true],
    ['.env!(.example)', '/.env.example', false],
    // Unicode forms do not matter.
    ['caf\u00e9', '/cafe\u0301', true],
    ['cafe\u0301', '/caf\u00e9/x', true],
    ['机密/**', '/机密/a', true],
    // Not literally.
    ['a.b', '/axb', false],
    ['#a', '/#a', true],
  ])('%s, for %s: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  test('ignores case where it restricts, since a synced disk may, and heeds it where it allows', () => {
    expect(matches('.env', '/.ENV', 'deny')).toBe(true);
    expect(matches('.ENV', '/.env', 'ask')).toBe(true);
    expect(matches('readme.md', '/README.md', 'allow')).toBe(false);
  });

  test.each([
    ['**/secrets/**', '/a\nb/secrets/x'],
    ['**/secrets/**', '/a\u2028b/secrets/x'],
    ['/src/**/*.env', '/src/a\rb/x.env'],
    ['*.key', '/\nx.key'],
    ['.env*', '/.env\n'],
    ['.env!(.example)', '/.env\n.local'],
    ['**', '/a\nb'],
  ])('%j also matches a name with a line break: %j', (pattern, path) => {
    expect(matches(pattern, path)).toBe(true);
    expect(matches(pattern, path, 'allow')).toBe(true);
  });

  describe('in a browser on Windows', () => {
    beforeEach(() => vi.stubGlobal('navigator', { platform: 'Win32' }));
    afterEach(() => vi.unstubAllGlobals());

    test.each([
      ['*.key', '/a\\b.key'],
      ['*', '/a\\b'],
      ['/src/*', '/src/a\\b'],
      ['**/secrets/**', '/x\\y/secrets/k'],
    ])('%j matches %j, as elsewhere', (pattern, path) => {
      expect(matches(pattern, path)).toBe(true);
    });

    test('a backslash is not a slash', () => {
      expect(matches('/out/**', '/out\\x', 'allow')).toBe(false);
      expect(matches('secret\\*', '/secret*')).toBe(true);
    });
  });

  test.each([
    '*(*a*)b',
    '+(a*)b',
    '**/*(a|aa)b',
    '+(+(a)b)c',
    '*(@(a|b)c)',
    '*(!(a))b',
    '+({a,aa})b',
    '*(?|a)b',
    '*(a|A)b',
    '*(|a)b',
    '(a|aa)+b',
    'x/{*(*a)b,c}',
  ])('%s cannot be used, because matching a long name would take forever', (pattern) => {
    expect(patternProblem(pattern)).toEqual({ type: 'repetition' });
    expect(matches(pattern, `/${'a'.repeat(255)}`)).toBe(false);
  });

  test.each([
    ['*(a|b)c', '/ababc'],
    ['+(foo|bar)*', '/foobarx'],
    ['*([0-9]).log', '/123.log'],
    ['+(a)+(b)', '/aabb'],
    ['@(*.key|*.pem)', '/x.pem'],
    ['\\*(*)', '/*(x)'],
    ['a*b*c', '/a1b2c'],
  ])('%s can be used, and matches %s', (pattern, path) => {
    expect(patternProblem(pattern)).toBeUndefined();
    expect(matches(pattern, path)).toBe(true);
  });

  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['!.env', 'negated'],
    ['a\0b', 'control-character'],
    ['a\nb', 'control-character'],
    ['a(b', 'syntax'],
    ['a[b', 'syntax'],
    ['{a,b', 'syntax'],
  ])('%j cannot be used: %s', (pattern, type) => {
    expect(patternProblem(pattern)).toMatchObject({ type });
    expect(matches(pattern, '/a')).toBe(false);
  });

  test.each(['.env*', '**/secrets/**', '!(a|b)', 'a b', '/x/[ab]', '\\!a'])('%s can be used', (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });
});

/** All orders of a list. */
const orders = <T>(list: readonly T[]): T[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((first, index) => orders(list.toSpliced(index, 1)).map((rest) => [first, ...rest]));

test('of all rules that match, the strictest counts, whatever their order, and those that do not match are nothing', () => {
  const pool = [
    rule('.env', 'deny', ['write']),
    rule('*.ts', 'deny'),
    rule('.env*', 'ask'),
    rule('/**', 'allow'),
    rule('/.env', 'allow', ['read']),
  ];
  const strictness: Record<PathPolicy, number> = { deny: 2, ask: 1, allow: 0 };
  for (let subset = 0; subset < 2 ** pool.length; subset++) {
    const rules = pool.filter((_, index) => (subset >> index) % 2 === 1);
    for (const path of ['/.env', '/a/.env', '/a.ts', '/b'])
      for (const effect of ['read', 'write'] as const) {
        // Each rule alone says whether it matches; together, the strictest of those counts.
        const alone = rules.flatMap((one) => new PathRules([one]).ruleFor(path, effect)?.policy ?? []);
        const expected = alone.toSorted((one, other) => strictness[other] - strictness[one])[0];
        const found = new Set(orders(rules).map((order) => new PathRules(order).ruleFor(path, effect)?.policy));
        expect(found, JSON.stringify({ rules, path, effect })).toEqual(new Set([expected]));
      }
  }
});

describe('a call', () => {
  let files: MemoryFileSystem;

  beforeEach(async () => {
    files = new MemoryFileSystem();
    await fill(files, {
      '/.env': 'KEY=1',
      '/src/a.ts': 'a',
      '/src/secrets/one': '1',
      '/src/secrets/two': '2',
      '/other/new.key': 'k',
      '/link': { link: '.env' },
    });
  });

  const judge = (name: string, input: object, rules: readonly PathRule[]) => {
    const tool = toolRegistry.get(name);
    if (tool === undefined) throw new Error(name);
    return judgeCall(tool, input, files, rules);
  };
  const pathsOf = (verdict: ReturnType<typeof judge>) =>
    verdict === undefined || verdict.type === 'allow'
      ? verdict?.type
      : [verdict.type, ...new Set(verdict.found.map(({ path }) => path))];

  const patch = (lines: string) => ({ patch: `*** Begin Patch\n${lines}\n*** End Patch` });

  test.each<[string, object, string]>([
    ['read_file', { path: '/.env' }, '/.env'],
    ['read_file', { path: 'src/../.env' }, '/.env'],
    ['read_file', { path: '/link' }, '/.env'],
    ['write_file', { path: './link', content: '' }, '/.env'],
    ['edit_file', { path: '/.env', find: 'a', replace: 'b' }, '/.env'],
    ['multi_edit', { path: '/.env', edits: [{ find: 'a', replace: 'b' }] }, '/.env'],
    ['apply_patch', patch('*** Update File: .env\n@@\n-KEY=1\n+KEY=2'), '/.env'],
    ['apply_patch', patch('*** Add File: /x/.env\n+KEY=2'), '/x/.env'],
    ['apply_patch', patch('*** Delete File: /.env'), '/.env'],
    ['apply_patch', patch('*** Update File: /src/a.ts\n*** Move to: /src/.env\n@@\n-a\n+b'), '/src/.env'],
    ['make_directory', { path: '/src/secrets/new' }, '/src/secrets/new'],
    ['list_directory', { path: '/src/secrets' }, '/src/secrets'],
    ['search_text', { pattern: '1', path: '/src/secrets/one' }, '/src/secrets/one'],
    ['search_files', { pattern: '*', path: '/src/secrets' }, '/src/secrets'],
    ['count_lines', { path: '/src/secrets' }, '/src/secrets'],
    ['get_diagnostics', { path: '/src/secrets' }, '/src/secrets'],
    // Folders with something protected in them, which is named once and without what is below.
    ['delete_path', { path: '/src', recursive: true }, '/src/secrets'],
    ['move_path', { from: '/src', to: '/b' }, '/src/secrets'],
    ['copy_path', { from: '/src', to: '/b' }, '/src/secrets'],
    ['move_path', { from: '/src/a.ts', to: '/.env' }, '/.env'],
    ['copy_path', { from: '/other', to: '/keys' }, '/keys/new.key'],
  ])('%s %j is denied', (name, input, path) => {
    const rules = [rule('.env*'), rule('**/secrets/**'), rule('/keys/*.key')];
    expect(pathsOf(judge(name, input, rules))).toContain(path);
    expect(judge(name, input, rules)?.type).toBe('deny');
    expect(
      pathsOf(
        judge(
          name,
          input,
          rules.map((one) => ({ ...one, policy: 'ask' as const })),
        ),
      ),
    )?.toContain('ask');
  });

  test.each<[string, object]>([
    ['read_file', { path: '/src/a.ts' }],
    ['list_directory', { path: '/' }],
    ['search_text', { pattern: 'x' }],
    ['move_path', { from: '/link', to: '/b' }],
    ['execute_bash', { command: 'cat /.env' }],
    ['read_file', { wrong: '/.env' }],
    ['read_file', { path: '/../../.env' }],
  ])('%s %j is not', (name, input) => {
    expect(judge(name, input, [rule('.env*'), rule('**/secrets/**')])).toBeUndefined();
  });

  test('is about the effects of the rule only', () => {
    expect(judge('read_file', { path: '/.env' }, [rule('.env', 'deny', ['write'])])).toBeUndefined();
    expect(judge('delete_path', { path: '/.env' }, [rule('.env', 'deny', ['read'])])).toBeUndefined();
    // A write shows what is there if it is refused, and an edit has to know it.
    expect(judge('write_file', { path: '/.env', content: '' }, [rule('.env', 'ask', ['read'])])?.type).toBe('ask');
  });

  test('is allowed only if all of its paths are', () => {
    const rules = [rule('/src/**', 'allow'), rule('/b', 'allow', ['write'])];
    expect(judge('read_file', { path: '/src/a.ts' }, rules)).toEqual({ type: 'allow' });
    expect(judge('move_path', { from: '/src/a.ts', to: '/b' }, rules)).toEqual({ type: 'allow' });
    expect(judge('move_path', { from: '/src/a.ts', to: '/c' }, rules)).toBeUndefined();
    expect(judge('move_path', { from: '/c', to: '/src/a.ts' }, rules)).toBeUndefined();
    expect(judge('delete_path', { path: '/src' }, [...rules, rule('secrets', 'ask', ['write'])])?.type).toBe('ask');
    expect(judge('read_file', { path: '/b' }, rules)).toBeUndefined();
    // Also what it reads on the way, and what it learns of a file that it writes.
    expect(judge('copy_path', { from: '/.env', to: '/src/c' }, rules)).toBeUndefined();
    expect(judge('copy_path', { from: '/src/a.ts', to: '/b' }, rules)).toEqual({ type: 'allow' });
    expect(judge('write_file', { path: '/b', content: '' }, rules)).toBeUndefined();
    expect(judge('write_file', { path: '/src/b', content: '' }, rules)).toEqual({ type: 'allow' });
  });
});

test('what is asked about is refused in the middle of a call, unless exactly that was approved', () => {
  const rules = [rule('.env', 'ask'), rule('/a/deny')];
  const guard = guardOf({ rules, approved: [{ path: '/a', effect: 'read' }] });
  expect(guard.refusal('/.env', 'read')).toContain('wants to be asked');
  expect(guard.refusal('/a/.env', 'read')).toBeUndefined();
  expect(guard.refusal('/a/.env', 'write')).toContain('wants to be asked');
  expect(guard.refusal('/a/deny', 'read')).toBe('one of the user’s rules protects this path');
  expect(guard.refusal('/b', 'write')).toBeUndefined();
});

describe('a rule without effect is marked', () => {
  const reason = (...rules: [PathRule, ...PathRule[]]) => idleReason(rules, 0);

  test.each([
    ['../x', 'dots'],
    ['/a/./b', 'dots'],
    ['..', 'dots'],
    ['a//b', 'empty-segment'],
    ['//a', 'empty-segment'],
    ['src/', 'trailing-slash'],
    ['/', 'trailing-slash'],
    ['x'.repeat(256), 'long-name'],
  ])('%s matches no path of a workspace: %s', (pattern, because) => {
    expect(reason(rule(pattern))).toEqual({ type: 'impossible', because });
    for (const path of ['/x', '/a/b', '/src', '/src/x', '/a']) expect(matches(pattern, path)).toBe(false);
  });

  test('because it has no effects', () => {
    expect(reason(rule('.env', 'deny', []))).toEqual({ type: 'no-effects' });
  });

  test.each<[PathRule, PathRule]>([
    [rule('.env', 'allow'), rule('.env', 'deny')],
    [rule('.env', 'ask'), rule('.env', 'deny')],
    [rule('/a/.env', 'allow'), rule('.env*', 'ask')],
    [rule('/a/b/c', 'deny'), rule('/a', 'deny')],
    [rule('/a/**', 'deny', ['read']), rule('**', 'deny')],
    [rule('*.key', 'ask'), rule('*', 'deny')],
    [rule('id_rsa', 'ask'), rule('**/id_*', 'deny')],
  ])('because another one covers it: %j by %j', (one, by) => {
    expect(reason(one, by)).toEqual({ type: 'covered', by });
  });

  test.each<[PathRule, PathRule]>([
    [rule('.env', 'deny'), rule('.env', 'ask')],
    [rule('.env', 'ask'), rule('.env', 'deny', ['read'])],
    [rule('.env', 'deny'), rule('/.env', 'deny')],
    [rule('src', 'deny'), rule('src/**', 'deny')],
    [rule('.env', 'deny'), rule('/a/**', 'deny')],
    [rule('.env*', 'deny'), rule('.env', 'deny')],
    [rule('.env', 'ask'), rule('../**', 'deny')],
    [rule('.env', 'ask'), rule('(', 'deny')],
  ])('but not if it still can match something: %j beside %j', (one, beside) => {
    expect(reason(one, beside)).toBeUndefined();
  });

  test('of two equal ones, the later', () => {
    const rules = [rule('.env'), rule('.env')];
    expect([idleReason(rules, 0)?.type, idleReason(rules, 1)?.type]).toEqual([undefined, 'covered']);
  });
});

test('a stored rule that cannot be read does not take the others with it', () => {
  const rules = [rule('.env'), { pattern: 7 }, { ...rule('a'), policy: 'never' }, rule('b', 'ask')];
  expect(pathRulesSchema.parse(rules)).toEqual([rules[0], rules[3]]);
  expect(pathRulesSchema.parse('none')).toEqual([]);
});
