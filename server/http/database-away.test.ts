import { expect, test } from 'vitest';
import { isDatabaseAway } from './database-away.ts';

const withCode = (code: string, message = 'failed') => Object.assign(new Error(message), { code });

test.each([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['both addresses of a host', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])],
  ['a database that shuts down', withCode('57P01', 'terminating connection due to administrator command')],
  ['a database that starts', withCode('57P03', 'the database system is starting up')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  ['no connection in time', new Error('timeout exceeded when trying to connect')],
  ['no answer in time', new Error('Query read timeout')],
  ['a lock that was not free in time', withCode('55P03')],
  ['a database without a free connection', withCode('53300', 'sorry, too many clients already')],
  ['a process that is being stopped', new Error('Cannot use a pool after calling end on the pool')],
  ['the cause of another error', new Error('The services did not open.', { cause: withCode('ECONNRESET') })],
])('%s says that it is away', (_, error) => {
  expect(isDatabaseAway(error)).toBe(true);
});

test.each([
  ['a fault in a statement', withCode('42601', 'syntax error')],
  ['a missing table', withCode('42P01')],
  ['another error', new Error('The row of a run is not there.')],
  ['a text', 'ECONNREFUSED'],
  ['nothing', undefined],
])('%s does not', (_, error) => {
  expect(isDatabaseAway(error)).toBe(false);
});
