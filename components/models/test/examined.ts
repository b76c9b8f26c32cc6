/// <reference types="vite/client" />
import { expect } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { checkScenario } from '#e2e/lib/scenarios/checks.ts';
import { parseScenario, promptedReply } from '#e2e/lib/scenarios/scenario.ts';
import type { DEFECTS } from '#models/examination/test/defective-server.ts';
import { examine, modelDialog, openConnected } from './model-dialog.ts';

type NamedDefect = (typeof DEFECTS)[number];

const SOURCES = import.meta.glob<string>('/e2e/scenarios/{primes,button,app-title}.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The scenarios that are played after an examination, in English. */
const SCENARIOS = Object.entries(SOURCES).map(([path, source]) => {
  const scenario = parseScenario(source, path);
  const variant = scenario.variants.find(({ language }) => language === 'en');
  if (variant === undefined) throw new Error(`${path} is not in English.`);
  return { scenario, variant };
});

const FILES: Record<string, string> = Object.assign({}, ...SCENARIOS.map(({ scenario }) => scenario.workspace));

/** The model's replies to the scenarios' prompts: `calls` are native, `written` is for tools described in the prompt. */
const REPLIES = Object.fromEntries(
  SCENARIOS.flatMap(({ variant: { prompts, turns = [] } }) =>
    prompts.map((prompt, index) => [
      prompt,
      (turns[index] ?? []).map((turn) => ({
        text: turn.text,
        calls: turn.calls,
        written: promptedReply(turn, 'object'),
      })),
    ]),
  ),
);

/** The texts that the report on a server with each defect must contain: the verdict, and a finding. */
const EXPECTED: Record<NamedDefect, readonly string[]> = {
  none: ['Recommended: native tools', 'It makes several calls at once.'],
  'drops tools': ['Recommended: tools described in the prompt', 'Its server drops native tools.'],
  'writes <tool_call>': ['Recommended: tools described in the prompt', '(<tool_call>)'],
  'writes [TOOL_CALLS]': ['Recommended: tools described in the prompt', '([TOOL_CALLS])'],
  'writes python': ['Recommended: tools described in the prompt', '(name(argument=…))'],
  'writes fenced JSON': ['Recommended: tools described in the prompt', '(JSON)'],
  'writes <function=': ['Recommended: tools described in the prompt', '(<function=…>)'],
  'merges parallel calls': ['Recommended: native tools', 'Tool calls per step: One'],
  'arguments as object': ['Recommended: native tools', 'arguments in the wrong format. The studio corrects that.'],
  'index always 0': ['Recommended: native tools', 'the same number. The studio tells them apart.'],
  'repeats ids': ['Recommended: native tools', 'the same ID. The studio tells them apart.'],
  'buffers arguments': ['Recommended: native tools', 'Arguments arrive all at once'],
  'serves 4k': ['Recommended: native tools', 'Context window, in tokens: 4,096'],
  'loses system prompt': ['Recommended: tools described in the prompt', 'its server drops the system prompt.'],
  'error with status 200': ['This model can’t be used right now', 'The model failed to load.'],
  'no finish reason': ['Recommended: native tools', 'the studio treats the answer as complete.'],
  'leaks template tokens': ['Recommended: tools described in the prompt', '<|im_end|>'],
};

/** The defects that daily tests examine: those whose recommendations differ most. Long tests examine the others. */
export const DAILY: readonly NamedDefect[] = ['none', 'writes fenced JSON'];

export const LONG: readonly NamedDefect[] = (Object.keys(EXPECTED) as NamedDefect[]).filter(
  (defect) => !DAILY.includes(defect),
);

/** Examines a model on a server with a defect, and plays the scenarios with what is recommended. */
export async function expectRecognized(studio: StudioPage, defect: NamedDefect): Promise<void> {
  await using server = await startServer('defective model', defect, REPLIES);
  await openConnected(studio, await server.get('url'), FILES);
  await examine(studio, { measuresWindow: defect === 'serves 4k' });
  for (const text of EXPECTED[defect]) await expect.element(modelDialog).toContainText(text);
  if (defect === 'error with status 200') return;
  await modelDialog.getByRole('button', { name: 'Use recommendations' }).click();
  await expect.element(modelDialog).toContainText('The studio uses these recommendations.');
  await keyboard.press('Escape');
  for (const [index, { scenario, variant }] of SCENARIOS.entries()) {
    await studio.say(variant.prompts[0] ?? '');
    await studio.settled(index + 1, { whenAsked: 'allow' });
    const turns = (await studio.turns()).slice(index);
    expect(checkScenario(scenario, variant, { turns, files: await studio.workspace() }), scenario.title).toEqual([]);
  }
  await expect.element(studio.answers.last()).not.toContainText('<|im_end|>');
}
