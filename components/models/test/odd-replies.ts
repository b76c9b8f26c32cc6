import { expect } from 'vitest';
import { startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import { DUMP, differenceIn } from '#models/dialects/test/judge.ts';
import type { OddReply } from '#models/dialects/test/odd-reply.ts';

/** The names of tools that ask for permission. */
const ASKING: ReadonlySet<string> = new Set(['bash']);

/** Asks for each odd reply of a kind. Returns how shown answers differ from the expected ones, by the reply's id. */
export async function askForReplies(studio: StudioPage, kind: OddReply['kind']): Promise<Record<string, string>> {
  await using odd = await startServer('odd replies');
  const models = `models:\n  - { id: odd, provider: local, model: odd, baseURL: "${await odd.get('url')}", toolCalling: native, contextSize: 32000 }\n`;
  await using server = await startServer('studio', { models, env: { AGENT_MAX_RETRIES: '0' } });
  // Other tests cover replies that call a tool which asks for permission.
  const replies = (await odd.get('replies'))
    .filter((reply) => reply.kind === kind)
    .filter(({ expect: { calls } }) => !calls.some(({ name }) => ASKING.has(name)))
    // The page keeps numbers in arguments as JavaScript numbers. Other tests compare their exact digits.
    .filter(({ expect: { calls } }) => !calls.some(({ argumentsJson }) => argumentsJson !== undefined));
  await studio.open({ server, model: 'odd' });
  const afterCalls = await odd.get('afterCalls');
  const missing: Record<string, string> = {};
  for (const [index, reply] of replies.entries()) {
    await studio.say(`Send “${reply.id}”.`);
    await studio.settled(index + 1);
    const problem = await problemWith(studio, reply, afterCalls);
    if (problem !== undefined) missing[reply.id] = problem;
  }
  return missing;
}

/** Compares the last shown answer with the expected one. Returns the difference; undefined if there is none. */
async function problemWith(studio: StudioPage, reply: OddReply, afterCalls: string): Promise<string | undefined> {
  const [turn] = (await studio.turns()).slice(-1);
  const parts = turn?.parts ?? [];
  const all = (type: 'text' | 'reasoning') => parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const failed = turn?.status.type === 'failed' ? [turn.status.problem.detail] : [];
  const difference = differenceIn(reply, {
    text: all('text').replace(afterCalls, ''),
    reasoning: all('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [`${part.toolName} ${JSON.stringify(part.input)}`] : [],
    ),
    errors: failed,
  });
  if (difference !== undefined) return difference;
  if (failed.length === 0 && turn?.status.type !== 'done') return `the turn is ${turn?.status.type}`;
  const page = studio.answers.last().element().textContent ?? '';
  if (DUMP.test(page)) return `a dump is shown: ${page.slice(0, 300)}`;
  // Rendered Markdown shows fewer characters than its source, so only letters and digits are compared.
  const shown = () => lettersOf(studio.answers.last().element().textContent);
  await expect.poll(shown).toContain(lettersOf(reply.expect.text));
  return undefined;
}

const lettersOf = (text: string | null): string => (text ?? '').replace(/[^\p{L}\p{N}]/gu, '');
