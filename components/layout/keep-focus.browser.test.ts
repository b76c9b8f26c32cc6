import { afterEach, expect, test } from 'vitest';
import { keyboard } from '#components/test/browser.ts';
import { keepFocus } from './keep-focus.ts';

let end = () => {};
afterEach(() => {
  end();
  document.body.replaceChildren();
});

/** Shows a page, keeps its focus, and focuses the element with the id “here”. */
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

test('what takes the focus by itself, and what is clicked, is left alone', async () => {
  const button = show(
    '<p><button id="here">Open</button><button id="beside">Beside</button></p><section id="view" data-own-focus></section>',
  );
  const view = document.getElementById('view');
  view?.append(button);
  button.focus();
  button.addEventListener('click', () => button.remove());
  await keyboard.press('Enter');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(document.activeElement).toBe(document.body);
});
