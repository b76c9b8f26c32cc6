import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { frames, mouse } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';
import { answerOf, hoverConversation, scrollTop, toLatest } from '../test/conversation.ts';

describe('a reader who has scrolled up', () => {
  test('is not taken to the end by the smallest steps up while an answer is written', { timeout: 60_000 }, async ({
    studio,
  }) => {
    await studio.open({ threads: [longThread('long', 60)], thread: 'long' });
    await expect.element(answerOf(30)).toBeInViewport();
    const text = Array.from({ length: 400 }, (_, n) => `Paragraph ${n} of a long answer.`).join('\n\n');
    const question = prompt('More');
    await model.script(question, [{ text, piece: 30, delayMs: 15 }]);
    await studio.say(question);
    await expect.element(page.getByText('Paragraph 20 of')).toBeInTheDocument();
    await hoverConversation();
    for (let step = 0; step < 30; step++) {
      await mouse.wheel(0, -6);
      await frames(2);
    }
    await expect.element(toLatest).toBeVisible();
    const place = await scrollTop();
    await frames(30);
    expect(await scrollTop()).toBe(place);
  });
});
