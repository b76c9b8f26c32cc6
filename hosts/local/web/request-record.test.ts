import { expect, test } from 'vitest';
import { requestLine } from './request-line.ts';
import { RequestRecord, type ToldRequest } from './request-record.ts';

const CALL = { toolCallId: 'c', toolName: 'far_act' };

test('a request is told with its call and why it could be sent, also one of a call within a call', () => {
  const told: ToldRequest[] = [];
  const record = new RequestRecord((request) => told.push(request));
  const request = { host: 'far.example', sent: 1, received: 2, status: 200 };
  record.allowed(CALL, 'always');
  record.sent('c', request);
  record.sent('c/1', request);
  record.denied({ ...CALL, toolCallId: 'd' }, ['a.example', 'b.example'], 'No.');
  expect(told).toEqual([
    { ...CALL, ...request, decision: 'always' },
    { ...CALL, ...request, toolCallId: 'c/1', decision: 'always' },
    ...['a.example', 'b.example'].map((host) => ({
      toolCallId: 'd',
      toolName: 'far_act',
      decision: 'denied',
      host,
      sent: 0,
      received: 0,
      refused: 'No.',
    })),
  ]);
  expect(told.map(requestLine)).toEqual([
    'request of far_act to far.example (always allowed): status 200, 1 bytes sent, 2 received',
    'request of far_act to far.example (always allowed): status 200, 1 bytes sent, 2 received',
    'request of far_act to a.example (denied): No.',
    'request of far_act to b.example (denied): No.',
  ]);
});
