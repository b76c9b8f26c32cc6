import { expect } from 'vitest';
import { startServer } from '#components/test/servers.ts';
import type { StudioPage } from '#components/test/studio-page.tsx';
import type { OddReply } from '#server/models/dialects/test/odd-reply.ts';

const AFTER_CALLS = 'That is all.';

/** Tools that ask for permission. */
const ASKING: ReadonlySet<string> = new Set(['bash']);

/** A dump of a validator, or of a page. */
const DUMP = /Type validation failed|invalid_type|invalid_union|<html|<!doctype/i;

/** Asks for each reply of a kind, and returns what a person did not get of them, by id. */
export async function askForReplies(studio: StudioPage, kind: OddReply['kind']): Promise<Record<string, string>> {
  await using odd = await startServer('odd replies');
  const models = `models:\n  - { id: odd, provider: local, model: odd, baseURL: "${await odd.get('url')}", toolCalling: native, contextSize: 32000 }\n`;
  await using server = await startServer('studio', { models, env: { AGENT_MAX_RETRIES: '0' } });
  // Those that call a tool of the studio that asks are read elsewhere.
  const replies = (await odd.get('replies'))
    .filter((reply) => reply.kind === kind)
    .filter(({ expect: { calls } }) => !calls.some(({ name }) => ASKING.has(name)));
  await studio.open({ server, model: 'odd' });
  const missing: Record<string, string> = {};
  for (const [index, reply] of replies.entries()) {
    await studio.say(`Send “${reply.id}”.`);
    await studio.settled(index + 1);
    const problem = await problemWith(studio, reply);
    if (problem !== undefined) missing[reply.id] = problem;
  }
  return missing;
}

/** What is wrong with the answer that is shown; undefined if nothing is. */
async function problemWith(studio: StudioPage, { expect: expected }: OddReply): Promise<string | undefined> {
  const [turn] = (await studio.turns()).slice(-1);
  const shown = studio.answers.last().element().textContent ?? '';
  if (DUMP.test(shown)) return `a dump is shown: ${shown.slice(0, 300)}`;
  const parts = turn?.parts ?? [];
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call' ? [`${part.toolName} ${JSON.stringify(part.input)}`] : [],
  );
  if (expected.error !== undefined) {
    const said = turn?.status.type === 'failed' ? turn.status.problem.detail : '';
    if (turn?.status.type !== 'failed') return `no error is shown, but ${turn?.status.type}`;
    return said.includes(expected.error) && said !== '' ? undefined : `another error is shown: ${said}`;
  }
  if (turn?.status.type !== 'done') return `the turn is ${JSON.stringify(turn?.status)}`;
  if (text.replace(AFTER_CALLS, '') !== expected.text) return `the text is ${JSON.stringify(text)}`;
  const wanted = expected.calls.map(({ name, arguments: input }) => `${name} ${JSON.stringify(input)}`);
  if (calls.length !== wanted.length) return `the calls are ${calls.join(', ')}`;
  // Numbers that JavaScript rounds are looked at elsewhere.
  if (
    !expected.calls.some(({ argumentsJson }) => argumentsJson !== undefined) &&
    calls.join('\n') !== wanted.join('\n')
  )
    return `the calls are ${calls.join(', ')}`;
  // Markdown shows less than what was written.
  await expect.poll(() => lettersOf(studio.answers.last().element().textContent)).toContain(lettersOf(expected.text));
  return undefined;
}

const lettersOf = (text: string | null): string => (text ?? '').replace(/[^\p{L}\p{N}]/gu, '');
