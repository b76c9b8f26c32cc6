import { afterEach, expect, test } from 'vitest';
import { errorLog } from './error-log.ts';
import { STUDIO_SERVER_LIMITS } from './limits.ts';

const { errorLine, errorLines } = STUDIO_SERVER_LIMITS;
const SECRET = 'hush-hush-0123456789';

afterEach(() => {
  delete process.env.ERROR_LOG_TOKEN;
});

/** A log of what a program says, and its clock. */
function open() {
  const events: { fields: Record<string, unknown>; event: string }[] = [];
  let time = 0;
  const say = errorLog({ info: (fields, event) => void events.push({ fields, event }) }, 'house', () => time);
  return { events, say, wait: (ms: number) => (time += ms) };
}

test('[R18] a secret is left out also where a line is cut', () => {
  process.env.ERROR_LOG_TOKEN = SECRET;
  const { events, say } = open();
  say(`${'x'.repeat(errorLine - 5)}${SECRET}`);
  expect(String(events[0]?.fields.text)).toHaveLength(errorLine);
  expect(String(events[0]?.fields.text)).not.toContain('hush');
});

test('only so many lines of a minute are kept, and the log says how many were not', () => {
  const { events, say, wait } = open();
  for (let count = 0; count < errorLines + 25; count++) say(`line ${count}`);
  expect(events).toHaveLength(errorLines + 1);
  wait(60_000);
  say('again');
  expect(events.slice(-2)).toEqual([
    { fields: { server: 'house', lines: 25 }, event: 'lines of a tool server were left out' },
    { fields: { server: 'house', text: 'again' }, event: 'a tool server says' },
  ]);
});
