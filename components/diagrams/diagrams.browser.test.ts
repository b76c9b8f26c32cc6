import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { placesIn } from '#components/chat/find/dom-matches.ts';
import { downloadOf } from '#components/test/browser.ts';
import { showAnswer } from '#components/test/show-answer.ts';
import { test } from '#components/test/studio-test.ts';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const FLOW = 'flowchart TD\n  A[Start] --> B{Works?}\n  B -->|yes| C[Ship it]\n  B -->|no| A';
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A red box</title><rect width="40" height="20" fill="#f00"/></svg>';

const SQUARE_FENCE = fence('svg', SQUARE).replaceAll('\n', '\n   ');

const pictures = () => [...document.querySelectorAll<HTMLImageElement>('figure img')];
const shown = () => pictures().filter(({ complete, naturalWidth }) => complete && naturalWidth > 0);

/** The color of a pixel of a picture, as red, green, blue, and alpha; by its place, from 0 to 1. */
function pixelOf(picture: HTMLImageElement, x: number, y: number): number[] {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: picture.naturalWidth, height: picture.naturalHeight });
  const context = canvas.getContext('2d');
  context?.drawImage(picture, 0, 0);
  return [...(context?.getImageData(picture.naturalWidth * x, picture.naturalHeight * y, 1, 1).data ?? [])];
}

test('Mermaid and SVG are drawn once the answer is complete, and their source can be seen again', async ({
  studio,
}) => {
  await showAnswer(studio, `${fence('mermaid', FLOW)}\n\nand\n\n1. In a list:\n\n   ${SQUARE_FENCE}`);
  await expect.poll(() => shown().length).toBe(2);
  const [flow, square] = shown();
  expect(flow?.alt).toBe('Diagram');
  expect(square?.alt).toBe('A red box');
  expect(square && pixelOf(square, 0.5, 0.5)).toEqual([255, 0, 0, 255]);
  const answer = studio.answers.last();
  expect(answer.element().querySelector('pre')).toBeNull();
  await page.getByRole('button', { name: 'Show code' }).first().click();
  await expect.element(answer.getByText('flowchart TD')).toBeVisible();
  expect(shown()).toHaveLength(1);
  await page.getByRole('button', { name: 'Show diagram' }).click();
  await expect.poll(() => shown().length).toBe(2);
});

test('the source of a drawn diagram is found and copied', async ({ studio }) => {
  await showAnswer(studio, `Look:\n\n${fence('mermaid', FLOW)}\n\nDone.`);
  await expect.poll(() => shown().length).toBe(1);
  const answer = studio.answers.last().element();
  const markdown = answer.querySelector('.markdown');
  if (markdown === null) throw new Error('There is no answer.');
  getSelection()?.selectAllChildren(markdown);
  const data = new DataTransfer();
  document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
  expect(data.getData('text/plain')).toBe(`Look:\n${FLOW}\nDone.`);
  const [place] = placesIn(answer, /Ship it/g);
  place?.show?.();
  await expect.poll(() => [...placesIn(answer, /Ship it/g)][0]?.range?.toString()).toBe('Ship it');
});

test('a mistake is shown with its line, and the rest of the answer stays', async ({ studio }) => {
  await showAnswer(
    studio,
    `${fence('mermaid', 'flowchart TD\n  A --> B\n  B -->')}\n\n${fence('svg', '<svg>\n<rect>\n</svg>')}\n\nThe end.`,
  );
  const answer = studio.answers.last();
  await expect.element(answer.getByText('because of a mistake in line 3:').first()).toBeVisible();
  await expect.poll(() => answer.getByText(/because of a mistake in line/).elements().length).toBe(2);
  await expect.element(answer.getByText('The end.')).toBeVisible();
  expect(pictures()).toHaveLength(0);
});

test('a diagram is downloaded as SVG and as PNG, and enlarged', async ({ studio }) => {
  await showAnswer(studio, fence('svg', SQUARE));
  await expect.poll(() => shown().length).toBe(1);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More for this diagram' }).click();
    return downloadOf(() => page.getByRole('menuitem', { name }).click());
  };
  const svg = await choose('Download as SVG');
  expect(svg.name).toBe('diagram.svg');
  const png = await choose('Download as PNG');
  expect(png.name).toBe('diagram.png');
  await page.getByRole('button', { name: 'Enlarge' }).click();
  const large = page.getByRole('dialog', { name: 'A red box' }).getByRole('img');
  await expect.poll(() => (large.element() as HTMLImageElement).width).toBe(80);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => (large.element() as HTMLImageElement).width).toBe(100);
});

test('a fence of mathematics is a formula', async ({ studio }) => {
  await showAnswer(studio, fence('math', '\\frac{1}{2}'));
  await expect.poll(() => studio.answers.last().element().querySelectorAll('.katex-display math').length).toBe(1);
});
