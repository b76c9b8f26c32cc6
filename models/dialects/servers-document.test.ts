import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type OddReply, REPLIES } from './test/odd-reply.ts';

const KINDS: Readonly<Record<OddReply['kind'], readonly [title: string, whatHappens: string]>> = {
  envelope: [
    'The frame of a chunk',
    'Every field is read by itself. One that is missing, null, or of another type never takes the others with it. A reason for the end that is missing, empty, or in other words is understood; the number of tokens is read wherever it is.',
  ],
  transport: [
    'How it is transported',
    'Lines that say nothing are skipped. A whole completion in place of a stream is the answer. A web page, an empty body, and plain text are errors in words, with the title of the page.',
  ],
  error: [
    'Errors',
    'The server’s own sentence is shown, however it is wrapped, with what it means and the next step. What the model had written before it stays.',
  ],
  calls: [
    'Calls',
    'Pieces are put together by id, index, and order, and by whether the arguments are complete. Arguments may be objects, encoded twice, or missing. Numbers keep all their digits.',
  ],
  thoughts: ['Thoughts', 'They are found in all fields in which servers put them, once.'],
  text: ['Text', 'Halves of characters are put together, or replaced by �, so that later requests are not refused.'],
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');

function section(kind: OddReply['kind']): string {
  const [title, whatHappens] = KINDS[kind];
  const rows = REPLIES.filter((reply) => reply.kind === kind).map(
    ({ server, what, source }) =>
      `| ${cell(server)} | ${cell(what)} | ${source.startsWith('http') ? `[report](${source})` : cell(source)} |`,
  );
  return [
    `## ${title}`,
    '',
    whatHappens,
    '',
    '| Server | What it sends | Source |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

const DOCUMENT = `# Servers, and what is corrected for each

Many servers offer OpenAI’s chat completions, and few send exactly that. \`models/dialects\` reads what they send, field
by field, and passes it on in one form, for every provider with such an API. This page is made from the replies that its tests
read (\`models/dialects/test/replies.json\`): each was reconstructed from a public report or document, without a look at
the reader. Where a report does not give the whole reply, the rest is assumed, and the entry says so.

\`npm run bench -- dialects\` counts how many arrive as they should, and how many do without the reader. Whatever else a
server sends is tried by chance: \`FUZZ_SEEDS=10000 npm run unit -- models/dialects/mutations.fuzz.test.ts\`.

To add a server, add its reply to that file, with its source, and run \`npm run unit -- models/dialects -u\`.

${(Object.keys(KINDS) as OddReply['kind'][]).map(section).join('\n\n')}

## What is sent

If a server refuses a request and says why, the request is sent again without that, and from then on, later ones are at once
(\`request-corrections.ts\`): \`max_tokens\` under its other name, \`stream_options\`, \`parallel_tool_calls\`, \`reasoning_effort\`,
\`tool_choice\`, \`temperature\`, \`top_p\`, ids of calls that are not of nine characters, missing or empty content beside
calls, roles that do not alternate, system messages that are not at the front or not allowed at all, thoughts of earlier
steps, signatures of calls, and words of JSON Schema. Only a request that was refused is repeated.

A server that wants the thoughts of earlier steps back, such as DeepSeek’s, gets them in all turns of the thread once it has
refused a request without them. Steps that another model has taken have none, so a space stands for them. Signatures of calls
always go back: Google’s, and OpenRouter’s \`reasoning_details\`.

## Anthropic’s, Google’s, and OpenAI’s own APIs

Their SDKs read them, behind a reader of their own (\`own-api.ts\`): events that say nothing and parts that are new are left
out; a page, an empty body, and an error in place of a stream are errors in words; a whole message is the answer. A part that
arrived damaged fails the step, because a text or a call would be another without it, and so does a reply that is cut.

## Prompts that are too long

${'`lib/agent/too-long.ts`'} recognizes them by meaning, in English and Chinese, and finds the window that they name. Its wordings, with
their sources, are in \`lib/agent/test/error-wordings.json\`, and so are those of other errors that sound alike, such as limits
per minute.
`;

test('docs/SERVERS.md is what the replies say', async () => {
  await expect(DOCUMENT).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/SERVERS.md'));
});
