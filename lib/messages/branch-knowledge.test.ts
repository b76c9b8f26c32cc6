import { expect, test } from 'vitest';
import { lastKnownHash } from './branch-knowledge.ts';
import type { AssistantMessage, Message, UserMessage } from './message.ts';

const step: AssistantMessage['parts'][number] = {
  type: 'step',
  model: 'm',
  provider: 'demo',
  promptHash: '',
  settings: { systemPrompt: '', toolsets: [], toolCalling: 'native', budgetTokens: 1, lastStep: false },
  notices: [],
};

/**
 * A call and the files in its result, such as `read /a=1`, or `/a=1?` if it only showed one; without a result if nothing
 * follows the name.
 */
function call(text: string): AssistantMessage['parts'][number] {
  const [toolName = '', ...files] = text.split(' ');
  const base = { toolCallId: text, toolName };
  const part = { type: 'tool-call', ...base, inputState: 'complete', input: {} } as const;
  if (files.length === 0) return part;
  const known = files.map((file) => {
    const [path = '', hash = '', shown] = file.split(/[=?]/);
    return { path, hash, ...(shown !== undefined && { shown: true as const }) };
  });
  return { ...part, result: { type: 'tool-error', ...base, code: 'timed-out', message: '', files: known } };
}

const question: UserMessage = { id: 'q', createdAt: 0, role: 'user', parts: [{ type: 'text', text: 'Hi' }] };

/** A branch: its turns, their steps, and the calls of each step. */
const branch = (...turns: string[][][]): Message[] =>
  turns.flatMap((steps, index): Message[] => [
    question,
    {
      id: `turn-${index}`,
      createdAt: 0,
      role: 'assistant',
      parts: steps.flatMap((calls) => [step, ...calls.map(call)]),
      status: { type: 'waiting' },
    },
  ]);

const known = (messages: Message[]) => lastKnownHash(messages, '/a', (name) => name === 'read');

test.each<[string, Message[], string | undefined]>([
  ['nothing', [], undefined],
  ['other files', branch([['read /b=1'], []]), undefined],
  ['a read in an earlier step', branch([['read /a=1'], ['write']]), '1'],
  ['a read in an earlier turn', branch([['read /a=1']], [['write']]), '1'],
  ['not a read in the same step', branch([['read /a=1'], ['read /a=2', 'write']]), '1'],
  ['a write in the same step', branch([['read /a=1'], ['write /a=2', 'write']]), '2'],
  ['not what a refused write in the same step showed', branch([['write /a=2?', 'write']]), undefined],
  ['what a refused write in an earlier step showed', branch([['write /a=2?'], ['write']]), '2'],
  ['the last of several', branch([['read /a=1'], ['write /a=2']], [['read /a=3'], ['bash /b=1 /a=4'], ['write']]), '4'],
  ['a read before a new turn begins', [...branch([['read /a=1']]), question], '1'],
])('%s', (_, messages, hash) => {
  expect(known(messages)).toBe(hash);
});
