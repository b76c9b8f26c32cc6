import { APICallError } from 'ai';
import { expect, test } from 'vitest';
import { isContextTooLong, problemCode } from './problems.ts';
import { withoutEcho } from './without-echo.ts';

const REAL = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";

const requestOf = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

const refusal = (message: string, content: string, responseBody = JSON.stringify({ error: { message } })) =>
  new APICallError({
    message,
    url: 'http://model/',
    requestBodyValues: requestOf(content),
    statusCode: 400,
    responseBody,
  });

const ASKED = 'My server says “the prompt is too long, it exceeds the context window”.\nWhat can I do about that?';

test('a refusal that repeats a prompt about long prompts is not one because of the size', () => {
  const validation = `1 validation error: messages.0.content: Input should be a valid list [input_value='${ASKED}', type=list]`;
  expect(isContextTooLong(refusal(validation, ASKED))).toBe(false);
  expect(problemCode(refusal(validation, ASKED))).toBe('endpoint-error');
  // As FastAPI answers: the whole body, in JSON.
  const detail = JSON.stringify({ detail: [{ loc: ['body', 'messages'], msg: 'Bad', input: requestOf(ASKED) }] });
  expect(isContextTooLong(refusal('Bad Request', ASKED, detail))).toBe(false);
});

test('a refusal because of the size is recognized, whatever the prompt says', () => {
  expect(isContextTooLong(refusal(REAL, 'Hello'))).toBe(true);
  expect(isContextTooLong(refusal(REAL, `What does this mean? ${REAL}`))).toBe(true);
  expect(isContextTooLong(refusal(`Error: ${REAL} You asked: ${ASKED}`, ASKED))).toBe(true);
});

test.each([
  ['what was sent goes, and the rest stays', `Invalid: ${ASKED} (at 3)`, 'Invalid:   (at 3)'],
  ['a few words in common are chance', 'What can I do about it?', 'What can I do about it?'],
  ['nothing was sent', 'Bad request', 'Bad request'],
])('%s', (_, said, rest) => {
  expect(withoutEcho(said, requestOf(ASKED))).toBe(rest);
});

test('a long refusal of a long request is read at once', () => {
  const content = Array.from({ length: 200_000 }, (_, n) => `word ${n}`).join(' ');
  const said = content.slice(-10_000);
  expect(withoutEcho(`Bad: ${said}`, requestOf(content)).trim()).toBe('Bad:');
  expect(withoutEcho(said.replaceAll('word', 'other'), requestOf(content))).toContain('other 199999');
});
