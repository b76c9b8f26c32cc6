import { beforeAll, expect, vi } from 'vitest';
import { test } from '#components/test/studio-test.ts';
import { longThread } from '#e2e/lib/stored-threads.ts';
import { answerOf } from '../test/conversation.ts';

vi.mock('#components/markdown/markdown-view.tsx', async (loadActual) => {
  // As over a network.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return loadActual();
});

// Without a bundle, and on a busy machine, the renderer takes longer than the page waits for it.
vi.mock('../renderer-wait.ts', () => ({ RENDERER_WAIT_MS: 20_000 }));

// Otherwise the renderer might be there before the list.
beforeAll(async () => {
  await import('./message-list.tsx');
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
