import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { readServerEnv } from '#config/env.ts';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { resolveModelConfig } from './config.ts';
import { toAgentModel } from './language-model.ts';
import { askForTitle, titleIn } from './title.ts';

let server: LocalServer | undefined;

afterEach(() => server?.stop());

async function titleFrom(reply: string | number): Promise<string> {
  server = await startLocalServer((_, response) => {
    if (typeof reply === 'number') return sendJson(response, reply, { error: { message: 'no' } });
    const chunk = (delta: object, reason: string | null) =>
      `data: ${JSON.stringify({ id: '1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunk({ role: 'assistant', content: reply }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
  });
  return titleAt(server.url);
}

function titleAt(url: string): Promise<string> {
  const config = resolveModelConfig({ provider: 'local', model: 'm', baseURL: `${url}/v1`, toolCalling: 'auto' });
  const model = toAgentModel(config, undefined, readServerEnv({}));
  const { signal } = new AbortController();
  return askForTitle(model, { question: 'How do I bake bread?', answer: `First, ${'x'.repeat(9_000)}` }, signal);
}

describe('the title of a conversation', () => {
  test.each([
    ['Baking Bread at Home', 'Baking Bread at Home'],
    ['"Baking Bread."\n\nI hope this helps!', 'Baking Bread'],
    ['**Title: Baking Bread**', 'Baking Bread'],
    ['# Baking Bread', 'Baking Bread'],
    ['标题：在家烤面包', '在家烤面包'],
    ['《在家烤面包》', '在家烤面包'],
    ['<think>They want a title.</think>\nBaking Bread', 'Baking Bread'],
  ])('%s', async (reply, title) => {
    expect(await titleFrom(reply)).toBe(title);
  });

  test('has a limit, and so does what is sent', async () => {
    expect(await titleFrom('word '.repeat(100))).toHaveLength(80);
    const [request] = server?.requests ?? [];
    expect(request?.body.length).toBeLessThan(4_000);
    expect(JSON.parse(request?.body ?? '')).not.toHaveProperty('tools');
  });

  test('is found at once in a long line of decorations', () => {
    const script = `titleIn(${JSON.stringify(`a${'*'.repeat(200_000)}a`)})`;
    // A synchronous search cannot be stopped otherwise.
    expect(runInNewContext(script, { titleIn }, { timeout: 1_000 })).toBe('a');
  });

  test('is taken from the beginning of a reply that does not end', async () => {
    let sent = 0;
    server = await startLocalServer(async (_, response) => {
      const data = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Bread\n'.repeat(1_000) } }] });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      while (sent < 1_000 && !response.destroyed) {
        sent++;
        response.write(`data: ${data}\n\n`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect(await titleAt(server.url)).toBe('Bread');
    expect(sent).toBeLessThan(1_000);
  });

  test('is not made up if the model names none, or fails', async () => {
    await expect(titleFrom('  \n')).rejects.toMatchObject({ problem: { code: 'empty-reply' } });
    await expect(titleFrom(400)).rejects.toThrow();
  });
});
