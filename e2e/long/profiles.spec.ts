import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROBLEM_TYPE } from '#lib/wire/problem.ts';
import { runNode } from '#scripts/lib/run.ts';
import type { TestBench } from '../lib/bench.ts';
import { expect, test } from '../lib/fixtures.ts';
import type { ScriptedTurn } from '../lib/scripted-model.ts';
import { openSettings, type StudioPage } from '../lib/studio-page.ts';
import { writeBrowserData } from '../profiles/browser-data.ts';

const FOLDER = join(import.meta.dirname, '../profiles');
const profiles = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

/** The model's replies when a recorded thread continues. */
const SCRIPTS: Record<string, (ScriptedTurn | ScriptedTurn[])[]> = {
  Compute: [{ calls: [call('browser_js_eval', { code: '6 * 7' })] }, { text: 'It is 42.' }],
  Wait: [{ calls: [call('browser_js_eval', { code: 'await new Promise(() => {})' })] }, { text: 'I was interrupted.' }],
  'And then?': [{ text: 'Then this.' }],
};

for (const { name } of profiles) {
  test.describe(`a profile of version ${name}`, () => {
    let own: TestBench;
    test.beforeEach(async ({ page, startBench }) => {
      // No matter how old the profile is.
      own = await startBench({ CHECKPOINT_RETENTION_HOURS: '1000000' });
      for (const [prompt, turns] of Object.entries(SCRIPTS)) own.model.script(prompt, turns);
      await own.stopStudio();
      own.forgetCheckpoints();
      copyFileSync(join(FOLDER, name, 'checkpoints.db'), join(own.folder, 'checkpoints.db'));
      await own.startStudio();
      await page.goto(`${own.url}/icon.svg`);
    });

    const open = async (studio: StudioPage, thread: string, question = thread) => {
      await studio.threads.getByRole('link', { name: thread, exact: true }).click();
      await expect(studio.page.getByRole('article', { name: 'You' }).first()).toContainText(question);
    };

    test('opens with all of its data, and continues where it was', async ({ studio, page }) => {
      const conflicts: Promise<{ status: number; code: string }>[] = [];
      page.on('response', (response) => {
        if (response.headers()['content-type'] === PROBLEM_TYPE) conflicts.push(response.json());
      });
      // The server was stopped after the recording, so its runs no longer exist.
      studio.expectedProblems.push('status of 404');
      await page.evaluate(writeBrowserData, JSON.parse(readFileSync(join(FOLDER, name, 'browser.json'), 'utf8')));
      await page.goto(own.url);
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

      await open(studio, 'Make a project');
      await expect(page.getByRole('img', { name: 'Image dot.png' })).toBeVisible();
      await expect(studio.answers.last()).toContainText('It is changed. Done.');
      await page.getByRole('treeitem', { name: 'docs' }).click();
      await expect(page.getByRole('treeitem', { name: 'long.txt' })).toBeVisible();
      await page.getByRole('treeitem', { name: 'app.ts', exact: true }).click();
      await expect(studio.editor).toContainText('export const value7 = 70;');

      await open(studio, 'Write one', 'Write two');
      await expect(studio.answers).toContainText('Two it is.');
      await expect(page.getByRole('treeitem', { name: 'two.txt' })).toBeVisible();
      await page.getByRole('button', { name: 'Previous version' }).click();
      await expect(studio.answers).toContainText('Written.');
      await expect(page.getByRole('treeitem', { name: 'one.txt' })).toBeVisible();

      await open(studio, 'Fail');
      await expect(studio.answers.getByRole('alert')).toBeVisible();

      await open(studio, 'Wait');
      await expect(studio.answers).toContainText('I was interrupted.');
      await expect(studio.call('browser_js_eval')).toHaveAttribute('data-state', 'interrupted');

      await open(studio, 'Compute');
      await studio.allow.click();
      await expect(studio.answers).toContainText('It is 42.');

      await open(studio, 'Take your time');
      // The server had already finished it when it was stopped.
      await expect(studio.answers.first()).toContainText('and ends later.');
      await expect(studio.answers.last()).toContainText('Then this.');
      expect(own.model.requestsFor('Take your time')).toHaveLength(0);
      // A server that has just started does not know this page's tools yet.
      const unknown = (await Promise.all(conflicts)).filter(
        ({ status, code }) => status === 409 && code !== 'catalogue-needed',
      );
      expect(unknown, 'threads that the server did not know anymore').toEqual([]);
    });

    test('has a backup that can be restored', async ({ studio, page }) => {
      await page.goto(own.url);
      await openSettings(page, 'Data');
      await page.getByLabel('Restore a backup').setInputFiles(join(FOLDER, name, 'backup.zip'));
      await page.getByRole('button', { name: 'Restore', exact: true }).click();
      await expect(page.getByText('Restored 6 threads')).toBeVisible();
      await page.keyboard.press('Escape');
      await open(studio, 'Make a project');
      await expect(studio.answers.last()).toContainText('It is changed. Done.');
      await page.getByRole('treeitem', { name: 'docs' }).click();
      await expect(page.getByRole('treeitem', { name: 'long.txt' })).toBeVisible();
    });
  });
}

test('a profile of this version can be recorded', async () => {
  test.slow();
  const folder = mkdtempSync(join(tmpdir(), 'profile-'));
  try {
    const { code, output } = await runNode('e2e/profiles/record.ts', [join(folder, 'new')], { output: 'pipe' });
    expect(output).toBe('');
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'new')).sort()).toEqual(readdirSync(join(FOLDER, '4b5e298')).sort());
    const recorded = JSON.parse(readFileSync(join(folder, 'new', 'expected.json'), 'utf8'));
    expect(recorded.studio.threads).toHaveLength(6);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
