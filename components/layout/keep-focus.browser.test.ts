import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { keepFocus } from './keep-focus.ts';

let end = () => {};
afterEach(() => {
  end();
  document.body.replaceChildren();
});

/** Shows an HTML text, starts `keepFocus`, and focuses the element with the id “here”, which is returned. */
function show(html: string): HTMLElement {
  document.body.insertAdjacentHTML('beforeend', html);
  end = keepFocus();
  const here = document.getElementById('here');
  here?.focus();
  return here as HTMLElement;
}

const focused = () => expect.poll(() => document.activeElement?.id, { timeout: 3_000 });

test('a key whose button disappears leaves the focus beside it', async () => {
  const button = show(
    '<p><button id="far">Far</button></p><p><button id="here">Reject</button><a id="next" href="#x">Next</a></p>',
  );
  button.addEventListener('click', () => setTimeout(() => button.remove(), 300));
  await keyboard.press('Enter');
  await focused().toBe('next');
});

test('a button that can’t be used any more leaves it as well', async () => {
  const button = show('<div><input id="field"><button id="here">Replace all</button></div>');
  button.addEventListener('click', () => {
    (button as HTMLButtonElement).disabled = true;
  });
  await keyboard.press('Enter');
  await focused().toBe('field');
});

test('in a conversation, the message box gets it', async () => {
  const button = show(
    '<main><div role="feed"><article><button id="first">First</button></article><article><div><button id="here">Retry</button></div></article></div><textarea id="composer"></textarea></main>',
  );
  button.addEventListener('click', () => button.closest('article')?.remove());
  await keyboard.press('Enter');
  await focused().toBe('composer');
});

test.for(['takes the focus by itself', 'is clicked'])('what %s is left alone', async (how) => {
  const button = show('<p><button id="here">Open</button><button id="beside">Beside</button></p>');
  if (how === 'takes the focus by itself') button.parentElement?.setAttribute('data-own-focus', '');
  button.addEventListener('click', () => button.remove());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  if (how === 'is clicked') button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  button.click();
  vi.advanceTimersByTime(4_000);
  expect(document.activeElement).toBe(document.body);
});
