import { describe, expect, test } from 'vitest';
import { servedWindow } from './served-window.ts';

const PATHS = ['/props', '/api/ps', '/api/show', '/api/v1/models', '/v1/models'] as const;

/** Reads the window of a server that answers at some addresses. */
async function read(bodies: Partial<Record<(typeof PATHS)[number], unknown>>, baseURL = 'http://host:1/v1/') {
  const asked: string[] = [];
  const fetch = async (input: Parameters<typeof globalThis.fetch>[0], init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    asked.push(`${pathname} ${new Headers(init?.headers).get('authorization')}`);
    const body = bodies[pathname as (typeof PATHS)[number]];
    expect(init?.body).toBe(pathname === '/api/show' ? '{"model":"m"}' : undefined);
    return body === undefined ? new Response('<html>', { status: 404 }) : new Response(JSON.stringify(body));
  };
  const served = { baseURL, model: 'm', apiKey: 'k', fetch };
  const window = await servedWindow(served, new AbortController().signal);
  // The key is for the base URL, and for nothing beside it.
  const expected = PATHS.map((path) => `${path} ${path.startsWith('/v1/') ? 'Bearer k' : 'null'}`);
  expect(asked.sort()).toEqual(expected.sort());
  return window;
}

describe('the window that is served is read', () => {
  test('from llama.cpp, not the one of the training', async () => {
    const list = { data: [{ id: 'm', meta: { n_ctx_train: 131_072 } }] };
    expect(await read({ '/props': { default_generation_settings: { n_ctx: 8_192 } }, '/v1/models': list })).toBe(8_192);
    expect(await read({ '/v1/models': list })).toBeUndefined();
    expect(await read({ '/v1/models': { data: [{ id: 'm', meta: { n_ctx: 4_096, n_ctx_train: 131_072 } }] } })).toBe(
      4_096,
    );
  });

  test('although other entries cannot be read', async () => {
    const embedding = { name: 'all-minilm', context_length: 256 };
    const chat = { name: 'm', model: 'm', context_length: 4_096 };
    expect(await read({ '/api/ps': { models: [embedding, null, chat] } })).toBe(4_096);
  });

  test('from Ollama', async () => {
    const models = [
      { name: 'other', model: 'other', context_length: 1_024 },
      { name: 'm:latest', model: 'm:latest', context_length: 4_096 },
    ];
    expect(await read({ '/api/ps': { models } })).toBe(4_096);
    expect(await read({ '/api/ps': { models: models.slice(0, 1) } })).toBeUndefined();
    const parameters = 'stop                           "<|im_end|>"\nnum_ctx                        16384';
    expect(await read({ '/api/show': { parameters } })).toBe(16_384);
    expect(await read({ '/api/ps': { models }, '/api/show': { parameters } })).toBe(4_096);
    expect(await read({ '/api/show': { model_info: { 'qwen2.context_length': 32_768 } } })).toBeUndefined();
  });

  test('from LM Studio', async () => {
    const loaded = (length: number) => [{ id: 'i', config: { context_length: length } }];
    const models = [
      { key: 'other', loaded_instances: loaded(1_024) },
      { key: 'm', loaded_instances: loaded(6_000) },
    ];
    expect(await read({ '/api/v1/models': { models } })).toBe(6_000);
    const several = [
      { id: 'x', config: { context_length: 4_096 } },
      { id: 'm', config: { context_length: 32_768 } },
    ];
    expect(await read({ '/api/v1/models': { models: [{ key: 'other', loaded_instances: several }] } })).toBe(32_768);
    expect(await read({ '/api/v1/models': { models: [{ key: 'm', loaded_instances: [] }] } })).toBeUndefined();
  });

  test('from vLLM', async () => {
    expect(await read({ '/v1/models': { data: [{ id: 'm', max_model_len: 16_384 }] } })).toBe(16_384);
  });

  test('only from addresses that may be asked', async () => {
    const asked: string[] = [];
    const fetch = async (input: Parameters<typeof globalThis.fetch>[0]) => {
      asked.push(new URL(String(input)).pathname);
      return new Response('{}');
    };
    const allows = (url: string) => new URL(url).pathname.startsWith('/v1/');
    const served = { baseURL: 'http://host:1/v1', model: 'm', apiKey: undefined, fetch, allows };
    expect(await servedWindow(served, new AbortController().signal)).toBeUndefined();
    expect(asked).toEqual(['/v1/models']);
  });

  test('from nobody who says nonsense', async () => {
    expect(await read({ '/props': { default_generation_settings: { n_ctx: -1 } }, '/api/ps': [] })).toBeUndefined();
  });
});
