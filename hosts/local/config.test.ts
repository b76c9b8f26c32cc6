import { expect, test } from 'vitest';
import { random as randomOf } from '#lib/vfs/test/random.ts';
import { allowancesOf, DEFAULT_CONFIG, folderConfigSchema, policyOf, withoutAllowances } from './config.ts';

test('a configuration without its allowances allows no more than none, and denies what it denied', () => {
  const next = randomOf(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  const tools = ['read_file', 'write_file', 'execute_bash', 'fetch_url', 'delete_path'];
  const rank = { allow: 2, ask: 1, deny: 0, review: 1 };
  const asked = { effects: ['read', 'write', 'execute'] as const };
  for (let seed = 0; seed < 500; seed++) {
    const config = folderConfigSchema.parse({
      permissions: Object.fromEntries(asked.effects.map((effect) => [effect, pick(['allow', 'ask', 'deny'])])),
      tools: Object.fromEntries(tools.filter(() => next() < 0.3).map((name) => [name, pick(['allow', 'ask', 'deny'])])),
      commands: { allow: next() < 0.5 ? ['npm test'] : [], deny: next() < 0.5 ? ['git push'] : [] },
      web: { enabled: next() < 0.5, allow: next() < 0.5 ? ['example.org'] : [], deny: ['evil.example'] },
      ...(next() < 0.5 && { languageServers: { any: { command: ['any'], files: ['*.any'] } } }),
    });
    const restricted = withoutAllowances(config);
    expect(allowancesOf(restricted)).toEqual([]);
    expect(restricted.commands.deny).toEqual(config.commands.deny);
    expect(restricted.web.deny).toEqual(config.web.deny);
    if (allowancesOf(config).length === 0) expect(restricted).toEqual({ ...config, web: { ...config.web, allow: [] } });
    for (const name of tools)
      for (const effect of asked.effects) {
        const tool = { name, effect };
        const [before, after, usual] = [config, restricted, DEFAULT_CONFIG].map((one) => policyOf(one, tool));
        if (before === undefined || after === undefined || usual === undefined) throw new Error('no policy');
        expect(rank[after], `${name} ${effect}`).toBeLessThanOrEqual(Math.max(rank[usual], effect === 'read' ? 2 : 0));
        expect(rank[after]).toBeLessThanOrEqual(rank[before] === 0 ? (config.tools[name] === 'deny' ? 0 : 1) : 2);
      }
  }
});
