import { describe, expect } from 'vitest';
import { page } from 'vitest/browser';
import { frames, mouse } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import { assistantMessage, storedThread, userMessage } from '#e2e/lib/stored-threads.ts';
import { hoverConversation, scroller } from '../test/conversation.ts';

/** A long answer of so many sections, in each of which several kinds of blocks follow each other. */
function longAnswer(sections: number): string {
  const section = (n: number): string =>
    [
      `Section ${n} begins.`,
      `\`\`\`ts\nconst value${n} = ${n};\nconst other${n} = ${n};\n\`\`\``,
      `| a | b |\n| - | - |\n| ${n} | ${'a longer cell '.repeat(12)} |`,
      `> A quote ${'of some length '.repeat(10)}`,
      `### Heading ${n}`,
    ].join('\n\n');
  return Array.from({ length: sections }, (_, n) => section(n)).join('\n\n');
}

/**
 * Scrolls up step by step, and checks that what is in the middle of the conversation moves by exactly that. Steps end where
 * blocks are rendered as they come near.
 */
async function expectEvenSteps(): Promise<void> {
  await expect.poll(() => document.querySelector('.markdown > .blocks')).not.toBeNull();
  for (let turn = 0; turn < 40; turn++) {
    const { left, top, width, height } = (await scroller()).getBoundingClientRect();
    const blockAt = (y: number) => document.elementFromPoint(left + width / 2, y)?.closest('.markdown > .blocks > *');
    // There may be a gap between two blocks.
    const middle = top + height / 2;
    const block = blockAt(middle) ?? blockAt(middle + 15) ?? blockAt(middle + 30);
    const blockTop = () => block?.getBoundingClientRect().top ?? 0;
    const before = blockTop();
    await mouse.wheel(0, -400);
    await frames(6);
    expect.soft(Math.abs(blockTop() - before - 400), `turn ${turn}`).toBeLessThanOrEqual(2);
  }
}

describe('a reader who has scrolled up', () => {
  test('sees a very long answer move by what was scrolled, and nothing else', async ({ studio }) => {
    const text = longAnswer(300);
    const thread = storedThread('long', [
      userMessage('q1', 'Write a book'),
      assistantMessage('a1', [{ type: 'text', text }]),
      userMessage('q2', 'Thanks'),
      assistantMessage('a2', [{ type: 'text', text: 'My pleasure.' }]),
    ]);
    await studio.open({ threads: [thread], thread: 'long' });
    await expect.element(page.getByText('My pleasure.')).toBeInViewport();
    await hoverConversation();
    await expectEvenSteps();
  });

  test('sees the same of one that has just been written, of which only what is near has a layout', async ({
    studio,
  }) => {
    const question = prompt('Write a book');
    await model.script(question, [{ text: `${longAnswer(100)}\n\nThe end.`, piece: 800, delayMs: 5 }]);
    await studio.open();
    await studio.say(question);
    await studio.settled();
    await expect.element(page.getByText('The end.', { exact: true })).toBeInViewport();
    const skipped = () =>
      [...document.querySelectorAll('.markdown > .blocks')].filter(
        (group) => !group.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }),
      );
    await expect.poll(() => skipped().length).toBeGreaterThan(2);
    await hoverConversation();
    await expectEvenSteps();
  });
});
