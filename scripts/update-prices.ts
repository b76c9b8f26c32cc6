// Makes the table of prices and windows from a package that keeps one: npm run prices
// The package is only downloaded here, because it would bring many others into every installation.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { PriceTable } from '#lib/model-use/prices/prices.ts';
import { ROOT } from './lib/run.ts';

const PACKAGE = '@earendil-works/pi-ai';
const VERSION = '1.5.2';

/** The studio's providers of which the package knows prices, under the same names. */
const PROVIDERS = 'openai anthropic google deepseek openrouter groq xai mistral together'.split(' ');

const prices = { input: z.number(), output: z.number(), cacheRead: z.number(), cacheWrite: z.number() };
const modelSchema = z.looseObject({
  id: z.string(),
  contextWindow: z.number(),
  maxTokens: z.number(),
  reasoning: z.boolean().optional(),
  input: z.array(z.string()).optional(),
  cost: z.looseObject({
    ...prices,
    tiers: z.array(z.object({ ...prices, inputTokensAbove: z.number() })).optional(),
  }),
});
const fileSchema = z.record(z.string(), z.record(z.string(), z.unknown()));
const registrySchema = z.object({ time: z.record(z.string(), z.string()) });

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
try {
  const npm = (...args: string[]) => execFileSync('npm', [...args, '--silent'], { cwd: folder, encoding: 'utf8' });
  const archive = npm('pack', `${PACKAGE}@${VERSION}`).trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['xzf', archive], { cwd: folder });
  const { time } = registrySchema.parse({ time: JSON.parse(npm('view', PACKAGE, 'time', '--json')) });
  const table: PriceTable = {
    source: `${PACKAGE} ${VERSION}`,
    date: (time[VERSION] ?? '').slice(0, 10),
    models: Object.fromEntries(PROVIDERS.map((provider) => [provider, rowsOf(provider)])),
    reasoning: Object.fromEntries(PROVIDERS.map((one) => [one, namesOf(one, ({ reasoning }) => reasoning === true)])),
    vision: Object.fromEntries(
      PROVIDERS.map((one) => [one, namesOf(one, ({ input }) => input?.includes('image') === true)]),
    ),
  };
  const path = join(ROOT, 'lib', 'prices', 'table.json');
  writeFileSync(path, `${JSON.stringify(table)}\n`);
  const count = Object.values(table.models).reduce((sum, models) => sum + Object.keys(models).length, 0);
  process.stdout.write(`${path}: ${count} models of ${table.date}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function modelsOf(provider: string): z.output<typeof modelSchema>[] {
  const path = join(folder, 'package', 'dist', 'providers', 'data', `${provider}.json`);
  const apis = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  const models = Object.values(apis).flatMap((entries) => Object.values(entries));
  return models.flatMap((model) => modelSchema.safeParse(model).data ?? []);
}

function rowsOf(provider: string): PriceTable['models'][string] {
  return Object.fromEntries(
    modelsOf(provider).map(({ id, contextWindow, maxTokens, cost }) => {
      const { input, output, cacheRead, cacheWrite, tiers = [] } = cost;
      const above = tiers.map((tier) => [
        ...[tier.inputTokensAbove, tier.input, tier.output, tier.cacheRead, tier.cacheWrite],
      ]);
      return [id, [contextWindow, maxTokens, input, output, cacheRead, cacheWrite, ...above]];
    }),
  ) as PriceTable['models'][string];
}

function namesOf(provider: string, has: (model: z.output<typeof modelSchema>) => boolean): string[] {
  const names = modelsOf(provider)
    .filter(has)
    .map(({ id }) => id);
  return [...new Set(names)];
}
