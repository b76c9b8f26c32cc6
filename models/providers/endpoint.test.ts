import { afterEach, describe, expect, test } from 'vitest';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { EndpointError } from './endpoint.ts';
import type { Endpoint } from './provider.ts';
import { providerOf } from './providers.ts';

let server: LocalServer | undefined;

afterEach(() => server?.stop());

const listEndpointModels = ({
  provider,
  apiKey,
  ...endpoint
}: { provider: string } & Omit<Endpoint, 'apiKey'> & { apiKey?: string }) =>
  providerOf({ provider }).listModels?.({ apiKey, ...endpoint });

async function listFrom(provider: string, body: unknown, status = 200) {
  server = await startLocalServer((_, response) => sendJson(response, status, body));
  return listEndpointModels({ provider, baseURL: `${server.url}/v1/`, apiKey: 'key-1234', timeoutMs: 2_000 });
}

describe('what an endpoint reports about its models', () => {
  test.each([
    ['vLLM', { id: 'qwen', max_model_len: 40_960 }, { model: 'qwen', contextSize: 40_960 }],
    ['Groq', { id: 'llama', context_window: 131_072 }, { model: 'llama', contextSize: 131_072 }],
    ['llama.cpp', { id: 'gguf', meta: { n_ctx: 4_096, n_ctx_train: 131_072 } }, { model: 'gguf', contextSize: 4_096 }],
    ['an older llama.cpp', { id: 'gguf', meta: { n_ctx_train: 131_072 } }, { model: 'gguf' }],
    ['Ollama', { id: 'llama3:8b', object: 'model', owned_by: 'library' }, { model: 'llama3:8b' }],
    ['llama.cpp without metadata', { id: 'gguf', meta: null, context_length: null }, { model: 'gguf' }],
    [
      'OpenRouter',
      {
        id: 'a/b',
        context_length: 200_000,
        supported_parameters: ['tools', 'temperature'],
        architecture: { input_modalities: ['text', 'image'] },
      },
      { model: 'a/b', contextSize: 200_000, nativeTools: true, vision: true },
    ],
    [
      'OpenRouter, of a model without tools',
      { id: 'a/c', supported_parameters: ['temperature'], architecture: { input_modalities: ['text'] } },
      { model: 'a/c', nativeTools: false, vision: false },
    ],
  ])('%s', async (_, entry, expected) => {
    expect(await listFrom('local', { object: 'list', data: [entry] })).toEqual([expected]);
  });

  test('Anthropic', async () => {
    const body = { data: [{ type: 'model', id: 'claude-x', display_name: 'Claude X' }], has_more: false };
    expect(await listFrom('anthropic', body)).toEqual([{ model: 'claude-x', name: 'Claude X', vision: true }]);
  });

  test('Google', async () => {
    const body = {
      models: [
        {
          name: 'models/gemini-x',
          displayName: 'Gemini X',
          inputTokenLimit: 1_048_576,
          supportedGenerationMethods: ['generateContent'],
        },
        { name: 'models/aqa', supportedGenerationMethods: ['generateAnswer'] },
      ],
    };
    expect(await listFrom('google', body)).toEqual([{ model: 'gemini-x', name: 'Gemini X', contextSize: 1_048_576 }]);
  });

  test('models that cannot chat are left out', async () => {
    const ids = [
      'gpt-x',
      'text-embedding-3',
      'whisper-1',
      'tts-1',
      'dall-e-3',
      'omni-moderation',
      'gpt-realtime',
      'llama-guard',
    ];
    expect(await listFrom('openai', { data: ids.map((id) => ({ id })) })).toEqual([{ model: 'gpt-x' }]);
  });
});

describe('the request', () => {
  test.each([
    ['openai', '/v1/models', { authorization: 'Bearer key-1234' }],
    ['local', '/v1/models', { authorization: 'Bearer key-1234' }],
    ['anthropic', '/v1/models', { 'x-api-key': 'key-1234', 'anthropic-version': '2023-06-01' }],
    ['google', '/v1/models?pageSize=1000', { 'x-goog-api-key': 'key-1234' }],
  ] as const)(
    '%s is asked in its own way, with the key in a header and never in the URL',
    async (provider, path, headers) => {
      await listFrom(provider, provider === 'google' ? { models: [] } : { data: [] });
      expect(server?.requests).toHaveLength(1);
      expect(server?.requests[0]?.path).toBe(path);
      expect(server?.requests[0]?.headers).toMatchObject(headers);
    },
  );

  test('without a key there is no key header', async () => {
    server = await startLocalServer((_, response) => sendJson(response, 200, { data: [] }));
    await listEndpointModels({ provider: 'local', baseURL: server.url, timeoutMs: 2_000 });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('[R18] the key does not follow a redirect to another host', async () => {
    const elsewhere = await startLocalServer((_, response) => sendJson(response, 200, { data: [] }));
    server = await startLocalServer((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/models` }).end();
    });
    const listing = listEndpointModels({
      provider: 'local',
      baseURL: server.url,
      apiKey: 'key-1234',
      timeoutMs: 2_000,
    });
    await expect(listing).rejects.toThrow();
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });
});

describe('an endpoint that does not list its models', () => {
  test.each([401, 403, 404, 500])('status %i is reported, without the key', async (status) => {
    const error = await listFrom('openai', { error: 'key-1234' }, status).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EndpointError);
    expect(error).toMatchObject({
      status,
      message: expect.stringMatching(`OpenAI responded with ${status} to http.*/v1/models`),
    });
    expect(String(error)).not.toContain('key-1234');
  });

  test.each([null, 'no', [], { models: [] }, { data: [{ name: 'x' }] }])('%j is not a list', async (body) => {
    await expect(listFrom('openai', body)).rejects.toMatchObject({ name: 'ZodError' });
  });

  test('a page instead of JSON is rejected', async () => {
    server = await startLocalServer((_, response) => {
      response.end('<!doctype html>');
    });
    const listing = listEndpointModels({ provider: 'local', baseURL: server.url, timeoutMs: 2_000 });
    await expect(listing).rejects.toBeInstanceOf(SyntaxError);
  });

  test('one that does not respond times out', async () => {
    server = await startLocalServer(() => new Promise(() => undefined));
    const listing = listEndpointModels({ provider: 'local', baseURL: server.url, timeoutMs: 50 });
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
