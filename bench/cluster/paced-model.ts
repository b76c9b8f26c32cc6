// A model server in a process of its own that writes at a fixed pace, as models do. What it answers follows from the
// question alone, so that a conversation that was disturbed can be compared with one that was not. Prints its port.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo, callsIn, wordsOf } from './conversation.ts';

/** The pause between two chunks of an answer, in milliseconds. */
const PACE_MS = 50;

interface ChatBody {
  messages: { role: string; content?: unknown }[];
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (!request.url?.endsWith('/chat/completions')) {
    response.end(JSON.stringify({ data: [{ id: 'paced' }] }));
    return;
  }
  const { messages } = JSON.parse(body) as ChatBody;
  const question = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const isResumed = messages.at(-1)?.role === 'tool';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await (isResumed ? writeAnswer(response, question) : writeStep(response, question));
});

async function writeStep(response: ServerResponse, question: string): Promise<void> {
  const calls = callsIn(question);
  if (calls === 0) return writeAnswer(response, question);
  send(response, {
    tool_calls: Array.from({ length: calls }, (_, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name: 'count', arguments: JSON.stringify({ question, index }) },
    })),
  });
  end(response, 'tool_calls');
}

async function writeAnswer(response: ServerResponse, question: string): Promise<void> {
  for (let index = 0; index < wordsOf(question); index++) {
    if (response.destroyed) return;
    send(response, { content: answerTo(question, index) });
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  end(response, 'stop');
}

const send = (response: ServerResponse, delta: object, finishReason: string | null = null): void =>
  void response.write(
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'paced', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`,
  );

function end(response: ServerResponse, finishReason: string): void {
  send(response, {}, finishReason);
  response.end('data: [DONE]\n\n');
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
