import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog, type LogFields, type LogLevel } from './log.ts';
import { outsideRequests, withRequestId } from './request-id.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A log and the lines that it has written. */
function openLog(level: LogLevel = 'debug') {
  const lines: string[] = [];
  return { log: createLog(level, (line) => lines.push(line)), lines };
}

function written(fields: LogFields, event = 'event'): Record<string, unknown> {
  const { log, lines } = openLog();
  log.info(fields, event);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

describe('a line', () => {
  test('is one JSON object with its time, level, event and fields', () => {
    const line = written({ threadId: 't1', runId: 'r1', ms: 12, ok: true, none: null }, 'run finished');
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      msg: 'run finished',
      threadId: 't1',
      runId: 'r1',
      ms: 12,
      ok: true,
      none: null,
    });
  });

  test('stays a single line of valid JSON whatever it contains', () => {
    const text = 'a "quoted" \\ line\nand\ranother \u2028 \ud800 http://localhost:3000';
    expect(written({ error: text, at: 'someone@example.org' })).toMatchObject({
      error: text,
      at: 'someone@example.org',
    });
  });

  test('of a child contains the ids of its parent', () => {
    const { log, lines } = openLog();
    log.child({ threadId: 't1' }).child({ runId: 'r1' }).warn({ code: 'x' }, 'run failed');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', threadId: 't1', runId: 'r1', code: 'x' });
  });

  test.each([
    ['silent', []],
    ['error', ['error']],
    ['warn', ['error', 'warn']],
    ['info', ['error', 'warn', 'info']],
    ['debug', ['error', 'warn', 'info', 'debug']],
  ] as const)('is written from level %s up', (level, expected) => {
    const { log, lines } = openLog(level);
    for (const name of ['error', 'warn', 'info', 'debug'] as const) log[name]({}, name);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(expected);
  });
});

describe('the id of a request', () => {
  test('is in its lines, and in those of what it leads to', async () => {
    const { log, lines } = openLog();
    await withRequestId('one', async () => {
      log.info({}, 'at once');
      await new Promise(setImmediate);
      log.child({ runId: 'r' }).info({}, 'later');
    });
    log.info({}, 'outside');
    expect(lines.map((line) => (JSON.parse(line) as { requestId?: string }).requestId)).toEqual([
      'one',
      'one',
      undefined,
    ]);
  });

  test('is not in the lines of what outlives the request', async () => {
    const { log, lines } = openLog();
    await withRequestId('one', () =>
      outsideRequests(async () => {
        await new Promise(setImmediate);
        log.info({}, 'in the background');
      }),
    );
    expect(lines.join('')).not.toContain('requestId');
  });
});

describe('[R18] a secret never reaches a line', () => {
  test('in a field, in the event, or in the ids of a child', () => {
    vi.stubEnv('OPENAI_API_KEY', 'plain-secret-word');
    const { log, lines } = openLog();
    log.child({ threadId: 'plain-secret-word' }).error({ error: 'plain-secret-word?' }, 'with plain-secret-word');
    expect(lines.join()).not.toContain('plain-secret-word');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: '[redacted]?', msg: 'with [redacted]' });
  });

  test('even one with characters that JSON escapes', () => {
    vi.stubEnv('DATABASE_PASSWORD', 'se"cr\\et/wörd');
    expect(written({ error: 'refused se"cr\\et/wörd' })).toMatchObject({ error: 'refused [redacted]' });
  });

  test.each([
    [
      'an address in quotes',
      'GET "https://x.example/v1?key=abcdef123456"',
      'GET "https://x.example/v1?key=[redacted]"',
    ],
    ['a password in an address', 'postgres://me:word@host/db', 'postgres://me:[redacted]@host/db'],
  ])('and removing it leaves the line valid: %s', (_, error, expected) => {
    expect(written({ error })).toMatchObject({ error: expected });
  });
});
