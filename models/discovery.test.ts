import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '#scripts/lib/server.ts';
import { type LocalServer, type ReceivedRequest, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { discoverLocalModels, LOCAL_SERVERS } from './discovery.ts';

/** The servers of these tests, by the port on which discovery looks for them. */
const standIns = new Map<number, LocalServer>();
const realFetch = globalThis.fetch;
let asked: string[] = [];

beforeEach(async () => {
  asked = [];
  const closed = `http://127.0.0.1:${await freePort()}`;
  // The usual ports may be in use on this machine, so requests to them go to test servers, or to a closed port.
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    const url = new URL(input);
    asked.push(url.origin);
    const standIn = standIns.get(Number(url.port));
    return realFetch(`${standIn?.url ?? closed}${url.pathname}`, init);
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  for (const server of standIns.values()) await server.stop();
  standIns.clear();
});

async function listenAt(port: number, answer: (request: ReceivedRequest) => unknown): Promise<LocalServer> {
  const server = await startLocalServer((request, response) => {
    const body = answer(request);
    if (body === undefined) return sendJson(response, 404, { error: 'not found' });
    return sendJson(response, 200, body);
  });
  standIns.set(port, server);
  return server;
}

const listOf = (...ids: string[]) => ({ object: 'list', data: ids.map((id) => ({ id })) });

describe('servers on this machine', () => {
  test('if nothing listens, nothing is found, and that is fine', async () => {
    expect(await discoverLocalModels(3_000)).toEqual([]);
    expect(asked.sort()).toEqual(LOCAL_SERVERS.map(({ port }) => `http://127.0.0.1:${port}`).sort());
  });

  test('the studio does not query itself', async () => {
    await discoverLocalModels(8_000);
    expect(asked).not.toContain('http://127.0.0.1:8000');
  });

  test.each([
    ['LM Studio', 1_234, 'lm-studio/qwen'],
    ['llama.cpp', 8_080, 'llama-cpp/qwen'],
    ['vLLM', 8_000, 'vllm/qwen'],
  ])('%s is found, and its models show where they come from', async (name, port, id) => {
    await listenAt(port, () => ({ data: [{ id: 'qwen', max_model_len: 40_960 }, { id: 'nomic-embed-text' }] }));
    expect(await discoverLocalModels(3_000)).toEqual([
      {
        provider: 'local',
        model: 'qwen',
        id,
        name: `qwen (${name})`,
        baseURL: `http://127.0.0.1:${port}/v1`,
        toolCalling: 'auto',
        contextSize: 40_960,
      },
    ]);
  });

  test('several servers are found at once, whatever else is listening', async () => {
    await listenAt(1_234, () => listOf('a'));
    await listenAt(8_000, () => listOf('b'));
    await listenAt(8_080, () => ({ status: 'some other program' }));
    expect((await discoverLocalModels(3_000)).map(({ id }) => id)).toEqual(['lm-studio/a', 'vllm/b']);
  });
});

describe('Ollama', () => {
  const described = (answers: Record<string, unknown>) =>
    listenAt(11_434, ({ path, body }) => {
      if (path === '/v1/models') return listOf(...Object.keys(answers));
      return path === '/api/show' ? answers[JSON.parse(body).model] : undefined;
    });

  test('reports for each model whether it supports tools and images, and its configured context', async () => {
    await described({
      able: {
        capabilities: ['completion', 'tools', 'vision'],
        parameters: 'stop "x"\nnum_ctx                        16384\n',
      },
      plain: {
        capabilities: ['completion'],
        parameters: 'temperature 0.7',
        model_info: { 'llama.context_length': 131_072 },
      },
    });
    const [able, plain] = await discoverLocalModels(3_000);
    expect(able).toMatchObject({ id: 'ollama/able', toolCalling: 'native', vision: true, contextSize: 16_384 });
    expect(plain).toMatchObject({ id: 'ollama/plain', toolCalling: 'prompted', vision: false });
    // The model could take more, but the server cuts off at its own default, which it does not report.
    expect(plain?.contextSize).toBeUndefined();
  });

  test('with a version that does not report this, offers its models as listed', async () => {
    await described({ old: undefined, odd: { capabilities: 'many' }, bare: {} });
    const models = await discoverLocalModels(3_000);
    expect(models.map(({ model, toolCalling }) => [model, toolCalling])).toEqual([
      ['old', 'auto'],
      ['odd', 'auto'],
      ['bare', 'auto'],
    ]);
  });
});
