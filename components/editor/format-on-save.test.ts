import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FORMAT_TIMEOUT_MS, formatAndSave } from './format-on-save.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A text whose formatter adds a line, unless it was cancelled. */
function textFile(content: string) {
  const file = { content, saved: '', cancelled: false };
  const save = async () => {
    file.saved = file.content;
  };
  const cancel = () => {
    file.cancelled = true;
  };
  return { file, save, cancel };
}

test('a text is formatted before it is saved', async () => {
  const { file, save, cancel } = textFile('a');
  const format = async () => {
    file.content = 'a;';
  };
  expect(await formatAndSave({ format, cancel, save })).toBeUndefined();
  expect(file.saved).toBe('a;');
  expect(file.cancelled).toBe(false);
});

test('without a formatter, a text is saved as it is', async () => {
  const { file, save, cancel } = textFile('a');
  expect(await formatAndSave({ format: undefined, cancel, save })).toBeUndefined();
  expect(file.saved).toBe('a');
});

test('what is typed while the formatter runs is saved', async () => {
  const { file, save, cancel } = textFile('a');
  const running = Promise.withResolvers<void>();
  const saving = formatAndSave({ format: () => running.promise, cancel, save });
  file.content = 'ab';
  running.resolve();
  await saving;
  expect(file.saved).toBe('ab');
});

test('a formatter that fails, at once or later, does not prevent saving', async () => {
  const { file, save, cancel } = textFile('a');
  const later = () => Promise.reject(new Error('No worker.'));
  const atOnce = (): Promise<void> => {
    throw new Error('No formatter.');
  };
  expect(await formatAndSave({ format: later, cancel, save })).toEqual({ type: 'failed', detail: 'No worker.' });
  expect(await formatAndSave({ format: atOnce, cancel, save })).toEqual({ type: 'failed', detail: 'No formatter.' });
  expect(file.saved).toBe('a');
});

test('a formatter that does not answer is given up, so that it cannot change the text afterwards', async () => {
  const { file, save, cancel } = textFile('a');
  const saving = formatAndSave({ format: () => new Promise(() => undefined), cancel, save });
  await vi.advanceTimersByTimeAsync(FORMAT_TIMEOUT_MS - 1);
  expect(file).toMatchObject({ saved: '', cancelled: false });
  await vi.advanceTimersByTimeAsync(1);
  expect(await saving).toEqual({ type: 'late' });
  expect(file).toMatchObject({ saved: 'a', cancelled: true });
});
