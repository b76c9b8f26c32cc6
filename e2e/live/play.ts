// Plays the scenarios with a model of this machine's configuration, on the production build in a real browser or on the
// command line, and writes a report. Exit code 1: a run failed. Exit code 2: the arguments are invalid.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { browserToolsOf, playOnCli } from '#e2e/lib/play-on-cli.ts';
import { playScenario } from '#e2e/lib/play-scenario.ts';
import { readScenarios } from '#e2e/lib/read-scenarios.ts';
import type { Scenario, ScenarioVariant } from '#e2e/lib/scenarios/scenario.ts';
import { StudioPage } from '#e2e/lib/studio-page.ts';
import { messageOf } from '#lib/base/message-of.ts';
import type { ToolCallingChoice } from '#lib/messages/message.ts';
import { ModelRegistry } from '#models/registry.ts';
import { readConfigOrExit } from '#scripts/lib/config.ts';
import { openSeenStudio } from '#scripts/lib/seen-studio.ts';
import { type LiveOptions, readLiveOptions, UsageError } from './options.ts';
import { type Attempt, type ScenarioResult, toAttempt, toReport, toResult } from './report.ts';
import { reportPage } from './report-page.ts';

/** The maximum time for a model to answer one prompt, in milliseconds. */
const PROMPT_TIMEOUT_MS = 600_000;

const scenarios = readScenarios();
const options = await readOptionsOrExit();
const startedAt = new Date();
const results: ScenarioResult[] = [];
const studio = options.host === 'browser' ? await openSeenStudio() : undefined;
try {
  for (const name of options.scenarios) {
    const scenario = scenarios.get(name);
    for (const variant of scenario?.variants ?? []) {
      const needed = scenario === undefined || options.host === 'browser' ? [] : browserToolsOf(scenario);
      if (needed.length > 0) process.stdout.write(`skipped  ${name}: it needs a browser for ${needed.join(', ')}\n`);
      if (needed.length > 0) break;
      if (scenario === undefined || !options.languages.includes(variant.language)) continue;
      for (const model of options.models)
        for (const mode of options.modes) await playAndReport({ name, scenario, variant, model, mode });
    }
  }
} finally {
  await studio?.close();
}
const { passed, failed } = toReport(options.models, startedAt, results);
const page = relative(process.cwd(), join(options.output, 'report.html'));
process.stdout.write(`${passed} of ${passed + failed} runs passed. The report: ${page}\n`);
process.exit(failed === 0 ? 0 : 1);

async function readOptionsOrExit(): Promise<LiveOptions> {
  const { models } = await new ModelRegistry(process.env, readConfigOrExit()).list();
  const known = { models: models.map(({ id }) => id), scenarios: [...scenarios.keys()] };
  try {
    const read = readLiveOptions(process.argv.slice(2), known);
    return { ...read, output: resolve(read.output) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

type SeenStudio = Awaited<ReturnType<typeof openSeenStudio>>;

/** One cell of the report. */
interface Cell {
  name: string;
  scenario: Scenario;
  variant: ScenarioVariant;
  model: string;
  mode: ToolCallingChoice;
}

async function playAndReport({ name, scenario, variant, model, mode }: Cell): Promise<void> {
  const { title } = scenario;
  const { language } = variant;
  const attempts: Attempt[] = [];
  for (let run = 1; run <= options.repeat; run++) {
    const cell = { name, scenario, variant, model, mode };
    const attempt = await (studio === undefined ? playLocally(cell, run) : play(studio, cell));
    attempts.push(attempt);
    process.stdout.write(
      `${attempt.failures.length === 0 ? 'passed' : 'FAILED'}  ${name} (${language}, ${options.models.length > 1 ? `${model}, ` : ''}${mode}) ${run}/${options.repeat}, steps: ${attempt.steps ?? 0}\n`,
    );
    for (const reason of attempt.failures) process.stdout.write(`        ${reason}\n`);
  }
  results.push(toResult({ scenario: name, title, language, model, mode }, attempts));
  writeReport();
}

// Written after each scenario, so that nothing is lost if the rest is aborted.
function writeReport(): void {
  const report = toReport(options.models, startedAt, results);
  mkdirSync(options.output, { recursive: true });
  writeFileSync(join(options.output, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(options.output, 'report.html'), reportPage(report));
}

/** Plays on the command line; the session is kept next to the report. */
async function playLocally({ name, scenario, variant, model, mode }: Cell, run: number): Promise<Attempt> {
  try {
    const played = await playOnCli(scenario, variant, { model, mode, timeout: PROMPT_TIMEOUT_MS, env: process.env });
    const folder = join(options.output, 'sessions');
    mkdirSync(folder, { recursive: true });
    const file = `${name}-${variant.language}-${model}-${mode}-${run}.jsonl`.replaceAll(/[^\w.-]/g, '_');
    writeFileSync(join(folder, file), played.session);
    return toAttempt(played);
  } catch (error) {
    const failure = `the command line could not be used: ${messageOf(error)}`;
    return toAttempt({ failures: [failure], messages: [], durationMs: 0 });
  }
}

async function play(studio: SeenStudio, { scenario, variant, model, mode }: Cell): Promise<Attempt> {
  // Everything is found by its English name.
  const context = await studio.browser.newContext({ baseURL: studio.url, locale: 'en-US' });
  const seen = new StudioPage(await context.newPage());
  try {
    const played = await playScenario(seen, scenario, variant, {
      model,
      mode,
      timeout: PROMPT_TIMEOUT_MS,
    });
    // Without this, a model that is still busy would continue although nobody is listening. It may end just now.
    if (await seen.stop.isVisible()) await seen.stop.click({ timeout: 1_000 }).catch(() => undefined);
    const failures = [...played.failures, ...seen.problems.map((problem) => `the page reported: ${problem}`)];
    return toAttempt({ ...played, failures });
  } catch (error) {
    const failure = `the studio could not be used: ${messageOf(error)}`;
    return toAttempt({ failures: [failure], messages: [], durationMs: 0 });
  } finally {
    await context.close();
  }
}
