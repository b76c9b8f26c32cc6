import { expect, test } from 'vitest';
import { fetchUrl } from '#lib/tools/web/fetch-url.ts';
import { askAbout } from './question.ts';

test('a question about the web names the host as it is, and what an answer allows', async () => {
  const written: string[] = [];
  const output = { write: (text: string) => void written.push(text), isTerminal: false, columns: 200 };
  const call = {
    ...{ toolCallId: 'c', toolName: 'fetch_url', input: { url: 'https://аpple.com/login' } },
    inputState: 'complete' as const,
  };
  const answer = await askAbout(
    { reader: { question: async () => 's' }, output },
    { call, tool: fetchUrl, onlyOnce: false },
    new AbortController().signal,
  );
  expect(answer).toEqual({ type: 'allow', scope: 'session' });
  const shown = written.join('');
  expect(shown).toContain('sends a request to xn--pple-43d.com\n');
  expect(shown).toContain('[s] Allow requests to xn--pple-43d.com in this session');
  expect(shown).toContain('[a] Always allow requests to xn--pple-43d.com in this folder');
});
