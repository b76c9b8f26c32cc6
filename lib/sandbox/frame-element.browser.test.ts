import { expect, test } from 'vitest';
import { addHidden } from './frame-element.ts';

test('a hidden element is neither the first nor the last of the page, so that no other one changes its place', () => {
  const [first, last] = [document.createElement('div'), document.createElement('div')];
  const others = [...document.body.children];
  document.body.replaceChildren(first, last);
  const hidden = document.createElement('iframe');
  addHidden(hidden);
  expect([...document.body.children]).toEqual([first, hidden, last]);
  document.body.replaceChildren();
  addHidden(hidden);
  expect([...document.body.children]).toEqual([hidden]);
  document.body.replaceChildren(...others);
});
