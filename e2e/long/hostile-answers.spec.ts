import { startCountingServer } from '../lib/counting-server.ts';
import { expect, test } from '../lib/fixtures.ts';
import { END, hostileAnswers, markdownOf, RAN } from '../lib/hostile-answers.ts';
import { longestTasks, watchLongTasks } from '../lib/long-tasks.ts';
import { prompt } from '../lib/prompt.ts';

/** The longest task of the page that an answer may cause, in milliseconds, on a machine that has nothing else to do. */
const TASK_MAX_MS = 200;

test('hostile diagrams, formulas, and HTML load nothing, run nothing, and do not hold up the page', async ({
  studio,
  bench,
  page,
}) => {
  test.setTimeout(900_000);
  const elsewhere = await startCountingServer();
  const answers = hostileAnswers(`http://127.0.0.1:${elsewhere.port}`);
  // The frame refuses them, and says so.
  studio.expectedProblems.push('Executing inline event handler violates', 'Content Security Policy');
  const faults: string[] = [];
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (opened) => faults.push(`a window: ${opened.url()}`));
  /** The longest task of each answer, in milliseconds, divided by the factor by which others slow it down. */
  const tasks: Record<string, number> = {};
  try {
    await studio.open();
    const longTasks = await watchLongTasks(page);
    for (const answer of answers) {
      const question = prompt(answer.name);
      bench.model.script(question, [{ text: markdownOf(answer) }]);
      await page.getByRole('button', { name: 'New thread' }).click();
      const before = elsewhere.hits.length;
      await longTasks.clear();
      await studio.say(question);
      await studio.settled();
      const last = studio.answers.last();
      await expect(last, answer.name).toContainText(END);
      if (answer.language !== 'text')
        await expect(last.locator('figure img, .text-failed').first(), answer.name).toBeVisible({ timeout: 40_000 });
      const seen = await page.evaluate((name) => ({ ran: name in globalThis, polluted: 'polluted' in {} }), RAN);
      tasks[answer.name] = await longTasks.longest(TASK_MAX_MS);
      if (seen.ran) faults.push(`${answer.name}: its script ran`);
      if (seen.polluted) faults.push(`${answer.name}: all objects have a new property`);
      for (const hit of elsewhere.hits.slice(before)) faults.push(`${answer.name}: reached the other server: ${hit}`);
    }
  } finally {
    await elsewhere.stop();
  }
  const slow = Object.entries(tasks).filter(([, ms]) => ms > TASK_MAX_MS);
  console.log(`Longest tasks: ${longestTasks(tasks)}`);
  expect(answers.length).toBeGreaterThanOrEqual(60);
  expect(faults).toEqual([]);
  expect(slow).toEqual([]);
});
