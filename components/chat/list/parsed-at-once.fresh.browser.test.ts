import { expect, vi } from 'vitest';
import { answerOf } from '#components/chat/test/conversation.ts';
// Loaded first, because it takes long without a bundle.
import '#components/markdown/parsed-markdown.tsx';
import { test } from '#components/test/studio-test.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';

vi.mock('#components/markdown/markdown-view.tsx', async (loadActual) => {
  // As over a network.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return loadActual();
});

test('answers are not seen as their source while the page loads', async ({ studio }) => {
  const seen: string[] = [];
  const observer = new MutationObserver(() => {
    for (const source of document.querySelectorAll('p[data-loading-view]')) seen.push(source.textContent ?? '');
  });
  observer.observe(document, { childList: true, subtree: true });
  await studio.open({ threads: [longThread('long', 4)], thread: 'long' });
  await expect.element(answerOf(2).locate('pre')).toBeInTheDocument();
  observer.disconnect();
  expect(seen).toEqual([]);
});
