import { expect } from 'vitest';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';

test('if the worker cannot be loaded, code stays plain', async ({ studio }) => {
  const question = prompt('Plain code');
  await model.script(question, [{ text: '```js\nconst a = 1;\n```\n\nDone.' }]);
  let isRefused = false;
  const { Worker: Real } = window;
  window.Worker = class extends Real {
    constructor(url: string | URL, options?: WorkerOptions) {
      if (options?.name === 'highlighter') {
        isRefused = true;
        throw new Error('No worker today.');
      }
      super(url, options);
    }
  };
  await studio.open();
  await studio.say(question);
  await studio.settled();
  const answer = studio.answers.last();
  await expect.element(answer.getByText('Done.')).toBeVisible();
  await expect.element(answer.locate('pre')).toHaveText('const a = 1;');
  await expect.poll(() => isRefused).toBe(true);
  await expect.element(answer.locate('.code-token')).not.toBeInTheDocument();
});
