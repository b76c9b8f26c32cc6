import { expect, test } from 'vitest';
import { chatFetch } from './chat-fetch.ts';
import { differenceIn } from './test/judge.ts';
import { REPLIES } from './test/odd-reply.ts';
import { OddServer } from './test/odd-server.ts';
import { receive } from './test/receive.ts';

test.each(REPLIES)('$server, $id: $what', async (reply) => {
  const { status, headers, body } = reply;
  const received = await receive(chatFetch(async () => new Response(body, { status, headers })));
  expect(differenceIn(reply, received)).toBeUndefined();
});

test('the same over HTTP', async () => {
  const server = await OddServer.start();
  const wrong: Record<string, string | undefined> = {};
  for (const reply of REPLIES) {
    const request = chatFetch((_, init) => fetch(`${server.url}/chat/completions`, init));
    const problem = differenceIn(reply, await receive(request, `Send “${reply.id}”.`));
    if (problem !== undefined) wrong[reply.id] = problem;
  }
  await server.stop();
  expect(wrong).toEqual({});
});
