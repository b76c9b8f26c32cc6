import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { keyboard } from '#components/test/browser.ts';
import { model } from '#components/test/model.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { test } from '#components/test/studio-test.ts';
import { prompt } from '#e2e/lib/prompt.ts';
import type { ChatRequestBody } from '#e2e/lib/scripted-model.ts';
import type { CompactionPart } from '#lib/messages/message.ts';

const STORY = 'once upon a time there was a harbour where nobody asked any questions, '.repeat(20);

/** The messages of a request to the model as one text. */
const written = (body: ChatRequestBody | undefined): string => JSON.stringify(body?.messages ?? []);

const cards = page.getByRole('region', { name: 'Earlier messages summarized' });

const compactionsOf = async (studio: StudioPage): Promise<CompactionPart[]> =>
  (await studio.turns()).flatMap(({ parts }) => parts.filter((part) => part.type === 'compaction'));

/** Has the conversation summarized before the next answer. */
async function compactNow(): Promise<void> {
  await page.getByRole('button', { name: 'Thread options' }).click();
  await page.getByRole('menuitem', { name: 'Summarize now' }).click();
}

/** Asks a question, and waits for its answer, the n-th. */
async function ask(studio: StudioPage, n: number, question: string, text: string): Promise<void> {
  await model.script(question, [{ text, piece: 50 }]);
  await studio.say(question);
  await studio.settled(n);
}

test('a long conversation is summarized by itself, which is shown, survives a reload, and can be undone', async ({
  studio,
}) => {
  const mark = prompt('');
  const storyQuestion = (n: number) => `Tell me story ${n}.${mark}`;
  await model.scriptSummary(mark);
  await studio.open({ model: 'narrow-4k' });
  let turns = 0;
  while ((await compactionsOf(studio)).length === 0) {
    turns++;
    expect(turns).toBeLessThanOrEqual(12);
    await ask(
      studio,
      turns,
      storyQuestion(turns),
      `Story ${turns}: ${STORY}\n\nthe lighthouse ${turns} = ${turns * 11} m`,
    );
  }
  const last = (await model.requestsFor(storyQuestion(turns))).at(-1);
  expect(written(last)).toContain('Summary of the conversation so far');
  expect(written(last)).toContain('1.\\n> Tell me story 1.');
  expect(written(last)).toContain('the lighthouse 1 = 11 m');
  expect(written(last)).not.toContain('Story 1: once upon');
  await expect.element(cards).toHaveLength(1);
  await expect.element(cards).toContainText(/[\d.]+K → [\d.]+K? tokens/);
  await expect.element(cards).not.toContainText('The assistant told a long story.');
  await studio.reopen();
  await cards.getByRole('button', { name: 'Earlier messages summarized' }).click();
  await expect.element(cards).toContainText('The assistant told a long story.');
  await expect.element(cards.getByRole('img', { name: /^Before: / })).toBeVisible();
  await expect.element(cards.getByRole('img', { name: /^After: .*Summary/ })).toBeVisible();
  // The server knows another state now, so the branch is sent again.
  await cards.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(cards).toContainText('Undone.');
  await ask(studio, turns + 1, `Undone now?${mark}`, 'Yes.');
  expect(written((await model.requestsFor(`Undone now?${mark}`))[0])).not.toContain(
    'Summary of the conversation so far',
  );
  expect(await compactionsOf(studio)).toHaveLength(1);
  await cards.getByRole('button', { name: 'Use summary again' }).click();
  await ask(studio, turns + 2, `And again?${mark}`, 'Yes.');
  expect(written((await model.requestsFor(`And again?${mark}`))[0])).toContain('Summary of the conversation so far');
});

test('“Summarize now” is carried out before the next answer, unless it is cancelled', async ({ studio }) => {
  const [first, second, third] = [prompt('Tell me a story.'), prompt('And another?'), prompt('Really?')];
  await model.scriptSummary(first);
  await studio.open();
  await ask(studio, 1, first, STORY);
  const announced = page.getByText('Earlier messages will be summarized before the next answer.');
  await compactNow();
  await expect.element(announced).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect.element(announced).not.toBeInTheDocument();
  await expect.element(studio.message).toHaveFocus();
  await ask(studio, 2, second, 'That was all.');
  expect(await compactionsOf(studio)).toEqual([]);
  await compactNow();
  await studio.reopen();
  await expect.element(announced).toBeVisible();
  await ask(studio, 3, third, 'Really.');
  await expect.element(announced).not.toBeInTheDocument();
  expect(await compactionsOf(studio)).toMatchObject([{ asked: true }]);
  const [request] = await model.requestsFor(third);
  expect(written(request)).toContain('Summary of the conversation so far');
  expect(written(request)).not.toContain('once upon a time');
  expect(await model.summaryRequestsFor(first)).toHaveLength(1);
});

test('of several summaries, only the latest can be undone, and another version of an answer keeps its own', async ({
  studio,
}) => {
  const mark = prompt('');
  await model.scriptSummary(mark);
  await studio.open();
  for (const n of [1, 2, 3]) {
    await ask(studio, n, `Tell me story ${n}.${mark}`, STORY);
    await compactNow();
  }
  await expect.element(cards).toHaveLength(2);
  await expect.element(cards.first()).toContainText('Replaced by a later summary.');
  await expect.element(cards.first().getByRole('button', { name: 'Undo', exact: true })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await cards.last().getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.element(cards.last()).toContainText('The model gets the summary before this one again.');
  await expect.element(cards.first()).not.toContainText('Replaced');
  await cards.last().getByRole('button', { name: 'Use summary again' }).click();
  const asked = (await model.summaryRequestsFor(mark)).length;
  await studio.answers.last().hover();
  await studio.answers.last().getByRole('button', { name: 'Regenerate', exact: true }).click();
  await studio.settled(4);
  expect(await model.summaryRequestsFor(mark)).toHaveLength(asked);
  await expect.element(cards).toHaveLength(2);
  expect(written((await model.requestsFor(`Tell me story 3.${mark}`)).at(-1))).toContain(
    'Summary of the conversation so far',
  );
});

test('what cannot be summarized is said, in words that name who could not', async ({ studio }) => {
  const mark = prompt('');
  await model.scriptSummary(mark, { text: 'All done! What is next?' });
  await studio.open();
  await ask(studio, 1, `Hi${mark}`, 'Hello.');
  await compactNow();
  await ask(studio, 2, `Go on.${mark}`, STORY);
  await expect.element(studio.answers.last()).toContainText('There’s nothing to summarize yet.');
  expect(await model.summaryRequestsFor(mark)).toEqual([]);
  await compactNow();
  await ask(studio, 3, `And on.${mark}`, STORY);
  await expect
    .element(studio.answers.last())
    .toContainText(
      'The summary by scripted couldn’t be used, because it wasn’t a summary. The oldest messages will be left out',
    );
  await studio.openSettings('Models');
  await studio.choose('Summaries of long threads', 'unreachable');
  await keyboard.press('Escape');
  await compactNow();
  await ask(studio, 4, `Once more.${mark}`, STORY);
  await expect.element(studio.answers.last()).toContainText('unreachable couldn’t write a summary:');
});

test('the whole of a long message stays within the model’s reach', async ({ studio }) => {
  const filler = 'It goes on for a while. '.repeat(150);
  const mark = prompt('');
  const long = `Remember this. ${filler}The word in the middle is heron. ${filler}${mark}`;
  const question = prompt('Which word?');
  await model.scriptSummary(mark);
  await studio.open();
  await ask(studio, 1, long, 'I will.');
  await compactNow();
  await model.script(question, [
    { calls: [{ name: 'list_directory', arguments: '{"path": "/.roundtrip/messages"}' }] },
    { text: 'Heron.' },
  ]);
  await studio.say(question);
  await studio.settled(2);
  const [first, second] = await model.requestsFor(question);
  const path = /All of message 1 is in (\S+?)\.\)/.exec(written(first))?.[1] ?? '';
  expect(written(first)).not.toContain('heron');
  expect(path).toMatch(/^\/\.roundtrip\/messages\/1-/);
  expect((await studio.workspace()).get(path)).toBe(long);
  expect(written(second)).toContain(path.slice(path.lastIndexOf('/') + 1));
});

test('“View prompt” shows where the context goes', async ({ studio }) => {
  const question = prompt('How full is it?');
  await studio.open({ files: { '/a.txt': 'x' } });
  await ask(studio, 1, question, 'Not very.');
  await studio.chooseAction('View prompt');
  const dialog = page.getByRole('dialog', { name: 'Prompt sent to the model' });
  await expect.element(dialog.getByRole('img', { name: /^Context: .*Tools [\d.]+K.*Free [\d.]+K/ })).toBeVisible();
  await expect.element(dialog).toContainText(/Estimated: [\d,]+ tokens\. Reported by the provider: [\d,]+\./);
  await expect.element(dialog).toContainText('of 128,000 tokens');
});
