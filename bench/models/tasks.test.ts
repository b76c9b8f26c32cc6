import { expect, test } from 'vitest';
import { type PlayedCall, TASK_KINDS } from './task.ts';
import { TASKS } from './tasks.ts';

test('both sets have tasks of every kind in both languages, and no question is in both', () => {
  for (const set of ['tuning', 'held-out'] as const)
    for (const language of ['en', 'zh'] as const) {
      const kinds = TASKS.filter((task) => task.set === set && task.language === language).map(({ kind }) => kind);
      expect(new Set(kinds)).toEqual(new Set(TASK_KINDS));
    }
  expect(new Set(TASKS.map(({ id }) => id)).size).toBe(TASKS.length);
  expect(new Set(TASKS.map(({ ask }) => ask)).size).toBe(TASKS.length);
});

test.each(TASKS.map((task) => [task.id, task] as const))('%s is not answered by doing nothing', (_, task) => {
  const files = new Map(Object.entries(task.files));
  const call: PlayedCall = { name: 'read_file', input: { path: '/none' }, output: 'Error', hasFailed: true, files };
  expect(task.isAnswered({ answer: 'I cannot do that.', files })).toBe(false);
  expect(task.isFirstRight?.(call) ?? false).toBe(false);
});

const taskOf = (id: string) => {
  const task = TASKS.find((one) => one.id === id);
  if (task === undefined) throw new Error(`There is no task ${id}.`);
  return task;
};

test('numbers count with and without separators', () => {
  const { isAnswered } = taskOf('tuning/en/compute-1');
  for (const answer of ['It is 97406784.', 'It is 97,406,784.', 'It is 97 406 784.'])
    expect(isAnswered({ answer, files: new Map() })).toBe(true);
  expect(isAnswered({ answer: 'It is 97406785.', files: new Map() })).toBe(false);
});

test('an edit counts only if nothing else has changed', () => {
  const { files, isAnswered } = taskOf('tuning/en/edit-1');
  const text = files['/config.toml'] ?? '';
  const isRight = (changed: string) => isAnswered({ answer: 'Done.', files: new Map([['/config.toml', changed]]) });
  expect(isRight(text.replace('8080', '9090'))).toBe(true);
  expect(isRight('port = 9090\n')).toBe(false);
  expect(isRight(text)).toBe(false);
});
