import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { checkScenario } from '#lib/scenarios/checks.ts';
import { promptedReply } from '#lib/scenarios/scenario.ts';
import { DEFECTS, DefectiveServer, type Script } from '#server/models/doctor/test/defective-server.ts';
import { expect, test } from './lib/fixtures.ts';
import { readScenarios } from './lib/read-scenarios.ts';
import { openSettings, StudioPage } from './lib/studio-page.ts';

/** The main scenarios, in English. */
const SCENARIOS = ['primes', 'button', 'app-title'].map((name) => {
  const scenario = readScenarios().get(name);
  const variant = scenario?.variants.find(({ language }) => language === 'en');
  if (scenario === undefined || variant === undefined) throw new Error(`There is no scenario ${name} in English.`);
  return { scenario, variant };
});

const FILES = Object.assign({}, ...SCENARIOS.map(({ scenario }) => scenario.workspace)) as Record<string, string>;

/** The scenarios' replies, natively and in the format that the studio asks small models for. */
const script: Script = (question, steps) => {
  for (const { variant } of SCENARIOS) {
    const turn = variant.turns?.[variant.prompts.indexOf(question)]?.[steps];
    if (turn !== undefined) return { text: turn.text, calls: turn.calls, written: promptedReply(turn, 'object') };
  }
  return undefined;
};

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Model settings: able' });

/** Opens the studio, and connects a server. */
async function connectModel(studio: StudioPage, url: string): Promise<void> {
  const { page } = studio;
  await studio.open({ files: FILES, settings: {} });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('connect');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'API key or address' }).fill(url);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Connect a model' })).toBeHidden();
}

/** Connects a server, and examines its model. */
async function examine(studio: StudioPage, url: string, measuresWindow: boolean): Promise<void> {
  const { page } = studio;
  await connectModel(studio, url);
  await studio.choose('Model', 'able');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('model settings');
  await page.keyboard.press('Enter');
  if (measuresWindow)
    await dialogOf(page)
      .getByRole('checkbox', { name: /measure the context window/ })
      .check();
  await dialogOf(page).getByRole('button', { name: 'Examine', exact: true }).click();
  await expect(dialogOf(page).getByRole('button', { name: 'Examine again' })).toBeVisible();
}

/** The verdict, and what else must be said. */
const EXPECTED: Record<(typeof DEFECTS)[number], readonly string[]> = {
  none: ['Recommended: native tools', 'It makes several calls at once.'],
  'drops tools': ['Recommended: tools described in the prompt', 'Its server drops native tools.'],
  'writes <tool_call>': ['Recommended: tools described in the prompt', '(<tool_call>)'],
  'writes [TOOL_CALLS]': ['Recommended: tools described in the prompt', '([TOOL_CALLS])'],
  'writes python': ['Recommended: tools described in the prompt', '(name(argument=…))'],
  'writes fenced JSON': ['Recommended: tools described in the prompt', '(JSON)'],
  'writes <function=': ['Recommended: tools described in the prompt', '(<function=…>)'],
  'merges parallel calls': ['Recommended: native tools', 'Calls in one reply: One'],
  'arguments as object': ['Recommended: native tools', 'arguments in the wrong format. The studio corrects that.'],
  'index always 0': ['Recommended: native tools', 'the same number. The studio tells them apart.'],
  'repeats ids': ['Recommended: native tools', 'the same ID. The studio tells them apart.'],
  'buffers arguments': ['Recommended: native tools', 'Arguments arrive all at once'],
  'serves 4k': ['Recommended: native tools', 'Context window, in tokens: 4,096'],
  'loses system prompt': ['Recommended: tools described in the prompt', 'its server drops the system prompt.'],
  'error with status 200': ['This model can’t be used right now', 'The model failed to load.'],
  'no finish reason': ['Recommended: native tools', 'The studio takes a complete stream as complete.'],
  'leaks template tokens': ['Recommended: tools described in the prompt', '<|im_end|>'],
};

for (const defect of DEFECTS) {
  test(`a server that ${defect === 'none' ? 'makes no mistake' : defect} is recognized, and then works`, async ({
    studio,
    page,
  }) => {
    const server = await DefectiveServer.start(defect, script);
    await examine(studio, server.url, defect === 'serves 4k');
    for (const text of EXPECTED[defect]) await expect(dialogOf(page)).toContainText(text);
    if (defect !== 'error with status 200') {
      await dialogOf(page).getByRole('button', { name: 'Use this' }).click();
      await expect(dialogOf(page)).toContainText('The studio uses these recommendations.');
      await page.keyboard.press('Escape');
      for (const [index, { scenario, variant }] of SCENARIOS.entries()) {
        await studio.say(variant.prompts[0] ?? '');
        await studio.settled(index + 1, { whenAsked: 'allow' });
        const turns = (await studio.turns()).slice(index);
        expect(checkScenario(scenario, variant, { turns, files: await studio.workspace() }), scenario.title).toEqual(
          [],
        );
      }
      await expect(studio.answers.last()).not.toContainText('<|im_end|>');
    }
    await server.stop();
  });
}

test.describe('the settings of a model', () => {
  test('say who decides, let the person choose, and go into a backup', async ({ studio, bench, page, browser }) => {
    bench.model.script('Natively?', [{ text: 'Yes.' }]);
    await studio.open({ files: {}, settings: { defaultModel: 'raw' } });
    await studio.expectToolCalling('Auto (native)');
    await studio.choose('Tool calling', 'Model settings');
    const dialog = page.getByRole('dialog', { name: 'Model settings: raw' });
    // The operator has decided.
    await expect(dialog).toContainText('JSON with raw blocks (models.yaml)');
    await expect(dialog).toContainText('32,000 (models.yaml)');
    await expect(dialog.getByRole('combobox', { name: 'Format of calls in text' })).toHaveCount(0);
    // The person decides.
    await studio.choose('Descriptions of tools', 'Brief');
    await dialog.getByRole('combobox', { name: 'Tool calling' }).click();
    await page.getByRole('option', { name: 'Prompted' }).click();
    const temperature = dialog.getByRole('textbox', { name: 'Temperature (0 to 2)' });
    await temperature.fill('3');
    await expect(dialog.getByRole('alert')).toHaveText('Enter a number from 0 to 2. This isn’t saved.');
    await temperature.fill('0,4');
    await temperature.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await studio.expectToolCalling('Auto (prompted)');
    await studio.openTools();
    await page.getByRole('combobox', { name: 'Tool calling', exact: true }).click();
    await expect(page.getByRole('option', { name: /^Auto/ })).toContainText('As you chose for this model');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await studio.say('Natively?');
    await studio.settled(1);
    const [request] = bench.model.requestsFor('Natively?');
    expect(request).not.toHaveProperty('tools');
    expect(request?.temperature).toBe(0.4);
    const [step] = (await studio.turns())[0]?.parts ?? [];
    expect(step).toMatchObject({ settings: { toolCalling: 'prompted', protocol: { codec: 'raw', compact: true } } });

    // It is kept, and comes with a backup.
    await openSettings(page, 'Data');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save a backup' }).click(),
    ]);
    const path = await download.path();
    const other = await (await browser.newContext({ baseURL: bench.url, locale: 'en-US' })).newPage();
    const otherStudio = new StudioPage(other);
    await other.goto('/');
    await otherStudio.choose('Model', 'raw');
    await otherStudio.expectToolCalling('Auto (native)');
    await openSettings(other, 'Data');
    const [chooser] = await Promise.all([
      other.waitForEvent('filechooser'),
      other.getByRole('button', { name: 'Restore a backup' }).click(),
    ]);
    await chooser.setFiles(path);
    await other.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(other.getByText('Restored 1 thread')).toBeVisible();
    await other.keyboard.press('Escape');
    await otherStudio.expectToolCalling('Auto (prompted)');
    await other.context().close();
  });

  test('take numbers as people write them, and say what they overrule', async ({ studio, page }) => {
    const server = await DefectiveServer.start('drops tools');
    await examine(studio, server.url, false);
    const dialog = dialogOf(page);
    await expect(dialog).toContainText('These recommendations aren’t in use yet.');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect(dialog).toContainText('You kept your settings.');
    await dialog.getByRole('combobox', { name: 'Tool calling' }).click();
    await page.getByRole('option', { name: 'Native', exact: true }).click();
    await dialog.getByRole('button', { name: 'Use this' }).click();
    await expect(dialog).toContainText('except for what is set otherwise below: Tool calling.');
    const tokens = dialog.getByRole('textbox', { name: 'Context window, in tokens' });
    for (const wrong of ['-5', '1e6', '99999999999', 'many']) {
      await tokens.fill(wrong);
      await expect(dialog.getByRole('alert')).toContainText('This isn’t saved.');
    }
    // Three digits may be the beginning of more, until the field is left.
    await tokens.fill('12');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await tokens.press('Tab');
    await expect(dialog.getByRole('alert')).toContainText('This isn’t saved.');
    await tokens.fill('128,000');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    // Escape closes the dialog without losing what was typed.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await studio.choose('Tool calling', 'Model settings');
    await expect(tokens).toHaveValue('128000');
    await server.stop();
  });

  test('fit into the window, however long a name and an error are', async ({ studio, page }) => {
    const name = 'x'.repeat(200);
    const message = 'y'.repeat(2_000);
    const server = createServer((request, response) => {
      const isList = request.url?.endsWith('/models') === true;
      response.writeHead(isList ? 200 : 400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? { data: [{ id: name }] } : { error: { message } }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    await connectModel(studio, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    await studio.choose('Model', 'xxx');
    await studio.choose('Tool calling', 'Model settings');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Examine', exact: true }).click();
    await expect(dialog).toContainText('yyy');
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const control of [
        dialog.getByRole('button', { name: 'Close' }),
        dialog.getByRole('combobox', { name: 'Tool calling' }),
        dialog.getByRole('textbox', { name: 'Temperature (0 to 2)' }),
      ]) {
        await control.evaluate((element) => element.scrollIntoView({ block: 'center' }));
        await expect(control).toBeInViewport({ ratio: 1 });
      }
      expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(1);
    }
    server.closeAllConnections();
    server.close();
  });

  test('are offered when native tools do not work, until the model was examined', async ({
    studio,
    startBench,
    page,
  }) => {
    // The studio remembers which model refused tools, so other tests must not have used it.
    const bench = await startBench();
    bench.model.script('Tools?', [{ text: 'None.' }]);
    await studio.open({ model: 'no-tools', url: bench.url });
    await studio.say('Tools?');
    await studio.settled(1);
    await page.getByRole('button', { name: 'Examine this model…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Model settings: no-tools' });
    await dialog.getByRole('button', { name: 'Examine', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Examine again' })).toBeVisible();
    await expect(dialog).toContainText('This model can’t be used right now');
    await page.keyboard.press('Escape');
    await expect(studio.answers.last()).toContainText('doesn’t support native tool calling');
    await expect(page.getByRole('button', { name: 'Examine this model…' })).toHaveCount(0);
  });

  test('stay as they are when the model is examined again, until the person decides', async ({ studio, page }) => {
    const server = await DefectiveServer.start('drops tools');
    await examine(studio, server.url, false);
    const dialog = dialogOf(page);
    const expectBehindDialog = async (text: string) => {
      await page.keyboard.press('Escape');
      await studio.expectToolCalling(text);
      await studio.choose('Tool calling', 'Model settings');
    };
    await dialog.getByRole('button', { name: 'Use this' }).click();
    await expectBehindDialog('Auto (prompted)');
    // Now it works.
    server.defect = 'none';
    await dialog.getByRole('button', { name: 'Examine again' }).click();
    await expect(dialog).toContainText('Recommended: native tools');
    await expect(dialog).toContainText('The studio still uses the recommendations of an earlier examination.');
    await expectBehindDialog('Auto (prompted)');
    await dialog.getByRole('button', { name: 'Use this' }).click();
    await expectBehindDialog('Auto (native)');
    // And now it fails, which is no reason to forget what is known.
    server.defect = 'error with status 200';
    await dialog.getByRole('button', { name: 'Examine again' }).click();
    await expect(dialog).toContainText('This model can’t be used right now');
    await expect(dialog).toContainText('Recommended: native tools');
    await expect(dialog).toContainText('The studio uses these recommendations.');
    await server.stop();
  });

  test('are examined while the dialog is closed, and in one tab at a time', async ({ page, startBench, studio }) => {
    const bench = await startBench();
    bench.model.script('Good morning.', [{ text: 'Good morning.', hold: { after: 0, gate: 'morning' } }]);
    await page.goto(bench.url);
    await studio.choose('Model', 'scripted');
    await studio.choose('Tool calling', 'Model settings');
    const dialogIn = (tab: Page) => tab.getByRole('dialog', { name: 'Model settings: scripted' });
    // A double click starts it and does not stop it.
    await dialogIn(page).getByRole('button', { name: 'Examine', exact: true }).dblclick();
    await expect(dialogIn(page).getByRole('status')).toContainText('Request 1 of up to 8');
    await page.keyboard.press('Escape');
    await expect(dialogIn(page)).toBeHidden();
    const second = await page.context().newPage();
    await second.goto(bench.url);
    const other = new StudioPage(second);
    await other.choose('Tool calling', 'Model settings');
    await dialogIn(second).getByRole('button', { name: 'Examine', exact: true }).click();
    await expect(dialogIn(second).getByRole('alert')).toHaveText('This model is being examined in another tab.');
    await studio.choose('Tool calling', 'Model settings');
    await expect(dialogIn(page).getByRole('status')).toContainText('Request 1 of up to 8');
    await page.keyboard.press('Escape');
    bench.model.open('morning');
    // Its report appears in both tabs.
    await expect(dialogIn(second).getByText('Examined on')).toBeVisible();
    await studio.choose('Tool calling', 'Model settings');
    await expect(dialogIn(page).getByText('Examined on')).toBeVisible();
    expect(bench.model.aborted).toBe(0);
  });

  test('stay as they are if an examination is stopped, or the server is gone', async ({ studio, page, startBench }) => {
    const bench = await startBench();
    bench.model.script('Good morning.', [{ text: 'Good morning.', hold: { after: 0, gate: 'morning' } }]);
    studio.expectedProblems.push('Failed to load resource', 'ERR_');
    await page.goto(bench.url);
    await studio.choose('Model', 'scripted');
    await studio.choose('Tool calling', 'Model settings');
    const dialog = page.getByRole('dialog', { name: 'Model settings: scripted' });
    await dialog.getByRole('button', { name: 'Examine', exact: true }).click();
    await expect(dialog.getByRole('status')).toContainText('Does it get the tools?');
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('The examination was stopped.');
    await expect.poll(() => bench.model.aborted).toBe(1);
    await dialog.getByRole('button', { name: 'Examine', exact: true }).click();
    await expect(dialog.getByRole('status')).toContainText('Does it get the tools?');
    await bench.stopStudio('SIGKILL');
    await expect(dialog.getByRole('alert')).toContainText('The examination didn’t finish.');
    await expect(dialog.getByRole('button', { name: 'Examine', exact: true })).toBeVisible();
  });
});
