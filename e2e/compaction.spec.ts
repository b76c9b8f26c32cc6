import type { CompactionPart } from '#lib/messages/message.ts';
import type { TestBench } from './lib/bench.ts';
import { expect, test } from './lib/fixtures.ts';
import { type ChatRequestBody, faithfulSummary, isSummaryRequest } from './lib/scripted-model.ts';
import { openSettings, type StudioPage } from './lib/studio-page.ts';

const STORY = 'once upon a time there was a harbour where nobody asked any questions, '.repeat(18);

/** The text of a prompt. */
const written = (body: ChatRequestBody | undefined): string => JSON.stringify(body?.messages ?? []);

const compactionsOf = async (studio: StudioPage): Promise<CompactionPart[]> =>
  (await studio.turns()).flatMap(({ parts }) => parts.filter((part) => part.type === 'compaction'));

/** Asks until the conversation is summarized; resolves with the number of answers. */
async function fillWindow(studio: StudioPage, bench: TestBench): Promise<number> {
  bench.model.summarize = faithfulSummary;
  for (let turn = 1; turn <= 12; turn++) {
    const question = `Tell me story ${turn}.`;
    bench.model.script(question, [{ text: `Story ${turn}: ${STORY}\n\nthe lighthouse ${turn} = ${turn * 11} m` }]);
    await studio.say(question);
    await studio.settled(turn);
    if ((await compactionsOf(studio)).length > 0) return turn;
  }
  throw new Error('The conversation was never summarized.');
}

test.afterEach(({ bench }) => {
  bench.model.summarize = undefined;
});

test('a long conversation is summarized by itself, which is shown, survives a reload, and can be undone', async ({
  studio,
  bench,
  page,
}) => {
  await studio.open({ model: 'narrow-4k' });
  const turns = await fillWindow(studio, bench);
  const last = bench.model.requestsFor(`Tell me story ${turns}.`).at(-1);
  expect(written(last)).toContain('Summary of the conversation so far');
  expect(written(last)).toContain('1.\\n> Tell me story 1.');
  expect(written(last)).toContain('the lighthouse 1 = 11 m');
  expect(written(last)).not.toContain('Story 1: once upon');
  const card = page.getByRole('region', { name: 'Earlier messages summarized' });
  await expect(card).toHaveCount(1);
  await expect(card).toContainText(/[\d.]+K → [\d.]+K? tokens/);
  await expect(card).not.toContainText('The assistant told a long story.');
  await page.reload();
  await card.getByRole('button', { name: 'Earlier messages summarized' }).click();
  await expect(card).toContainText('The assistant told a long story.');
  await expect(card.getByRole('img', { name: /^Before: / })).toBeVisible();
  await expect(card.getByRole('img', { name: /^After: .*Summary/ })).toBeVisible();
  // The server knows another state now, so the branch is sent again.
  await card.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(card).toContainText('Undone.');
  bench.model.script('Undone now?', [{ text: 'Yes.' }]);
  await studio.say('Undone now?');
  await studio.settled(turns + 1);
  expect(written(bench.model.requestsFor('Undone now?')[0])).not.toContain('Summary of the conversation so far');
  expect(await compactionsOf(studio)).toHaveLength(1);
  await card.getByRole('button', { name: 'Use summary again' }).click();
  bench.model.script('And again?', [{ text: 'Yes.' }]);
  await studio.say('And again?');
  await studio.settled(turns + 2);
  expect(written(bench.model.requestsFor('And again?')[0])).toContain('Summary of the conversation so far');
});

test('“Compact now” is carried out before the next answer, unless it is cancelled', async ({ studio, bench, page }) => {
  const before = bench.model.requests.filter(isSummaryRequest).length;
  bench.model.summarize = faithfulSummary;
  bench.model.script('Tell me a story.', [{ text: STORY }]);
  bench.model.script('And another?', [{ text: 'That was all.' }]);
  bench.model.script('Really?', [{ text: 'Really.' }]);
  await studio.open();
  await studio.say('Tell me a story.');
  await studio.settled(1);
  const ask = async () => {
    await page.getByRole('button', { name: 'Thread options' }).click();
    await page.getByRole('menuitem', { name: 'Compact now' }).click();
  };
  const announced = page.getByText('The conversation will be summarized before the next answer.');
  await ask();
  await expect(announced).toBeVisible();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(announced).toHaveCount(0);
  await expect(studio.message).toBeFocused();
  await studio.say('And another?');
  await studio.settled(2);
  expect(await compactionsOf(studio)).toEqual([]);
  await ask();
  await page.reload();
  await expect(announced).toBeVisible();
  await studio.say('Really?');
  await studio.settled(3);
  await expect(announced).toHaveCount(0);
  expect(await compactionsOf(studio)).toMatchObject([{ asked: true }]);
  const prompt = written(bench.model.requestsFor('Really?')[0]);
  expect(prompt).toContain('Summary of the conversation so far');
  expect(prompt).not.toContain('once upon a time');
  expect(bench.model.requests.filter(isSummaryRequest)).toHaveLength(before + 1);
});

test('of several summaries, only the latest can be undone, and another version of an answer keeps its own', async ({
  studio,
  bench,
  page,
}) => {
  bench.model.summarize = faithfulSummary;
  await studio.open();
  const compact = async (turn: number) => {
    bench.model.script(`Tell me story ${turn}.`, [{ text: STORY }]);
    await studio.say(`Tell me story ${turn}.`);
    await studio.settled(turn);
    await page.getByRole('button', { name: 'Thread options' }).click();
    await page.getByRole('menuitem', { name: 'Compact now' }).click();
  };
  for (const turn of [1, 2, 3]) await compact(turn);
  const cards = page.getByRole('region', { name: 'Earlier messages summarized' });
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText('Replaced by a later summary.');
  await expect(cards.first().getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await cards.last().getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(cards.last()).toContainText('The model gets the summary before this one again.');
  await expect(cards.first()).not.toContainText('Replaced');
  await cards.last().getByRole('button', { name: 'Use summary again' }).click();
  const asked = bench.model.requests.filter(isSummaryRequest).length;
  await studio.answers.last().hover();
  await studio.answers.last().getByRole('button', { name: 'Regenerate', exact: true }).click();
  await studio.settled(4);
  expect(bench.model.requests.filter(isSummaryRequest)).toHaveLength(asked);
  await expect(cards).toHaveCount(2);
  expect(written(bench.model.requestsFor('Tell me story 3.').at(-1))).toContain('Summary of the conversation so far');
});

test('what cannot be summarized is said, in words that name who could not', async ({ studio, bench, page }) => {
  const before = bench.model.requests.filter(isSummaryRequest).length;
  await studio.open();
  const ask = async (turn: number, text: string) => {
    await page.getByRole('button', { name: 'Thread options' }).click();
    await page.getByRole('menuitem', { name: 'Compact now' }).click();
    bench.model.script(text, [{ text: STORY }]);
    await studio.say(text);
    await studio.settled(turn);
  };
  bench.model.script('Hi', [{ text: 'Hello.' }]);
  await studio.say('Hi');
  await studio.settled(1);
  bench.model.summarize = () => ({ text: 'All done! What is next?' });
  await ask(2, 'Go on.');
  await expect(studio.answers.last()).toContainText('There is nothing to summarize yet.');
  expect(bench.model.requests.filter(isSummaryRequest)).toHaveLength(before);
  await ask(3, 'And on.');
  await expect(studio.answers.last()).toContainText(
    'The summary by scripted couldn’t be used, because it wasn’t a summary. The oldest messages are left out',
  );
  await openSettings(page, 'Models');
  await studio.choose('Summaries of long threads', 'unreachable');
  await page.keyboard.press('Escape');
  await ask(4, 'Once more.');
  await expect(studio.answers.last()).toContainText('unreachable couldn’t write a summary:');
});

test('the whole of a long message stays within the model’s reach', async ({ studio, bench }) => {
  const long = `Remember this. ${'It goes on for a while. '.repeat(150)}The word in the middle is heron. ${'It goes on for a while. '.repeat(150)}`;
  bench.model.summarize = faithfulSummary;
  bench.model.script(long, [{ text: 'I will.' }]);
  await studio.open();
  await studio.say(long);
  await studio.settled(1);
  await studio.page.getByRole('button', { name: 'Thread options' }).click();
  await studio.page.getByRole('menuitem', { name: 'Compact now' }).click();
  bench.model.script('Which word?', [
    { calls: [{ name: 'list_directory', arguments: '{"path": "/.roundtrip/messages"}' }] },
    { text: 'Heron.' },
  ]);
  await studio.say('Which word?');
  await studio.settled(2);
  const prompt = written(bench.model.requestsFor('Which word?')[0]);
  const path = /All of message 1 is in (\S+?)\.\)/.exec(prompt)?.[1] ?? '';
  expect(prompt).not.toContain('heron');
  expect(path).toMatch(/^\/\.roundtrip\/messages\/1-/);
  expect((await studio.workspace()).get(path)).toBe(long);
  expect(written(bench.model.requestsFor('Which word?')[1])).toContain(path.slice(path.lastIndexOf('/') + 1));
});

test('“View prompt” shows where the context goes', async ({ studio, bench, page }) => {
  bench.model.script('How full is it?', [{ text: 'Not very.' }]);
  await studio.open({ files: { '/a.txt': 'x' } });
  await studio.say('How full is it?');
  await studio.settled(1);
  await studio.answers.last().hover();
  await studio.answers.last().getByRole('button', { name: 'View prompt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Prompt sent to the model' });
  await expect(dialog.getByRole('img', { name: /^Context: .*Tools [\d.]+K.*Free [\d.]+K/ })).toBeVisible();
  await expect(dialog).toContainText(/Estimated: [\d,]+ tokens\. Reported by the provider: [\d,]+\./);
  await expect(dialog).toContainText('of 128,000 tokens');
});
