import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { frames, mouse } from '#components/test/browser.ts';
import { test } from '#components/test/studio-test.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';
import { answerOf, hoverConversation, questionOf, topOf } from '../test/conversation.ts';

const { promise: isRequested, resolve: load } = vi.hoisted(() => Promise.withResolvers<void>());

vi.mock('#components/markdown/markdown-view.tsx', async (loadActual) => {
  await isRequested;
  return loadActual();
});

test('answers that change their height when their view has loaded leave the reader where they are', async ({
  studio,
}) => {
  await studio.open({ threads: [longThread('long', 100)], thread: 'long' });
  await expect.element(answerOf(50)).toBeInViewport();
  await expect.element(page.getByText('```ts').first()).toBeInTheDocument();
  await hoverConversation();
  const atEnd = await topOf(questionOf(50));
  for (let turn = 0; turn < 5; turn++) await mouse.wheel(0, -100);
  await expect.poll(() => topOf(questionOf(50))).toBe(atEnd + 500);
  await frames(10);
  const top = await topOf(questionOf(50));
  // The end of the answer before it is in view, and its beginning is not.
  expect(await topOf(answerOf(49))).toBeLessThan(0);
  expect(top).toBeGreaterThan(0);
  load();
  await expect.element(answerOf(50).locate('pre')).toBeInTheDocument();
  await frames(20);
  expect(Math.abs((await topOf(questionOf(50))) - top)).toBeLessThanOrEqual(1);
});
