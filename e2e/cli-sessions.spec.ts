import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliBench } from './lib/cli-bench.ts';
import { expect, test } from './lib/fixtures.ts';
import { openSettings } from './lib/studio-page.ts';

const call = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });

test('a session of the command line goes on in the studio, and from there on the command line again', async ({
  studio,
  bench,
}, testInfo) => {
  const { page } = studio;
  const cli = await CliBench.start(bench.model);
  try {
    cli.write({ 'a.txt': 'alpha\n' });
    bench.model.script('Read a.txt and run ls', [
      {
        reasoning: 'First the file.',
        calls: [call('read_file', { path: '/a.txt' }), call('execute_bash', { command: 'ls' })],
      },
      { text: 'It says alpha.' },
    ]);
    bench.model.script('And in the studio?', [{ text: 'Still alpha.' }]);
    bench.model.script('And in the terminal?', [{ text: 'Alpha again.' }]);
    // Nobody can be asked, so the command is denied, with a code that OpenAI's format cannot hold.
    expect((await cli.run(['run', 'Read a.txt and run ls'])).code).toBe(3);
    const [name = ''] = cli.sessions();

    await studio.open({ settings: { defaultModel: 'scripted' } });
    await openSettings(page, 'Data');
    await page.getByLabel('Import a thread').setInputFiles(join(cli.folder, '.roundtrip/sessions', name));
    await expect(page.getByText('The thread was imported.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('article', { name: 'Assistant' })).toContainText('It says alpha.');
    await expect(page.getByRole('group', { name: 'Tool call: execute_bash' })).toContainText('denied');
    await studio.say('And in the studio?');
    await studio.settled(2);
    const sent = bench.model.requestsFor('And in the studio?')[0];
    expect(sent?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      'alpha\n',
      expect.stringContaining('needs the user'),
    ]);

    await openSettings(page, 'Data');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export this thread' }).click();
    const exported = testInfo.outputPath('exported.jsonl');
    await (await downloading).saveAs(exported);
    const again = await cli.run(['run', 'And in the terminal?', '--session', exported]);
    expect(again).toMatchObject({ code: 0, stdout: 'Alpha again.\n' });
    const messages = bench.model.requestsFor('And in the terminal?')[0]?.messages;
    expect(JSON.stringify(messages)).toContain('Still alpha.');
    const results = readFileSync(exported, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ role }) => role === 'tool');
    expect(results[1]?.roundtrip.result).toMatchObject({ type: 'tool-error', code: 'denied' });
  } finally {
    await cli.stop();
  }
});
