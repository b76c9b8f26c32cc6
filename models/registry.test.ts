import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Environment, readServerEnv } from '#config/env.ts';
import { modelListSchema } from '#lib/wire/models.ts';
import { freePort } from '#scripts/lib/server.ts';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { ModelRegistry, type ToolRefusals } from './registry.ts';

let folder = '';
const servers: LocalServer[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'studio-registry-'));
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true });
  for (const server of servers.splice(0)) await server.stop();
});

const modelsFile = () => join(folder, 'models.yaml');

function openRegistry(variables: Environment = {}, refusals?: ToolRefusals): ModelRegistry {
  const env = { DISCOVER_LOCAL: 'false', DEMO_MODEL: 'false', MODELS_FILE: modelsFile(), ...variables };
  return new ModelRegistry(env, readServerEnv(env), undefined, refusals);
}

async function listingServer(ids: readonly string[]): Promise<LocalServer> {
  const server = await startLocalServer((_, response) => sendJson(response, 200, { data: ids.map((id) => ({ id })) }));
  servers.push(server);
  return server;
}

const writeModels = (...ids: readonly string[]) =>
  writeFileSync(
    modelsFile(),
    `models:\n${ids.map((id) => `  - { provider: local, model: ${id}, baseURL: 'http://x/v1' }\n`).join('')}`,
  );

const idsOf = async (registry: ModelRegistry) => (await registry.list()).models.map(({ id }) => id);

describe('the list of models', () => {
  test('consists of the file, the environment, an endpoint’s models, and the demo, in this order', async () => {
    const server = await listingServer(['served']);
    writeModels('filed');
    const registry = openRegistry({
      DEMO_MODEL: 'true',
      OPENAI_API_KEY: 'key-1234',
      OPENAI_MODEL: 'gpt-a,gpt-b',
      LOCAL_BASE_URL: `${server.url}/v1`,
    });
    const { models, problems, defaultModel } = await registry.list();
    expect(models.map(({ id }) => id)).toEqual(['local/filed', 'openai/gpt-a', 'openai/gpt-b', 'local/served', 'demo']);
    expect(problems).toEqual([]);
    expect(defaultModel).toBe('local/filed');
    expect(models.at(-1)).toMatchObject({ demo: true, provider: 'demo' });
    expect(models.filter(({ demo }) => demo)).toHaveLength(1);
  });

  test('[R18] contains neither keys nor URLs', async () => {
    const server = await listingServer(['served']);
    writeModels('filed');
    const registry = openRegistry({ LOCAL_BASE_URL: server.url, LOCAL_API_KEY: 'key-1234-5678' });
    const told = JSON.stringify(await registry.list());
    expect(told).toContain('local/served');
    expect(told).not.toContain('key-1234');
    expect(told).not.toContain('http:');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-1234-5678');
  });

  test('the file takes precedence for a model that is also found elsewhere', async () => {
    const server = await listingServer(['filed', 'served']);
    writeFileSync(modelsFile(), `models: [{ provider: local, model: filed, name: Mine, baseURL: '${server.url}' }]`);
    const { models } = await openRegistry({ LOCAL_BASE_URL: server.url }).list();
    expect(models.map(({ id, name }) => [id, name])).toEqual([
      ['local/filed', 'Mine'],
      ['local/served', 'served'],
    ]);
  });

  test('an endpoint is not asked for models that are named', async () => {
    const server = await listingServer(['other']);
    expect(await idsOf(openRegistry({ LOCAL_BASE_URL: server.url, LOCAL_MODEL: 'mine' }))).toEqual(['local/mine']);
    expect(server.requests).toEqual([]);
  });

  test('an endpoint’s information on context, tools and images is used', async () => {
    const server = await startLocalServer((_, response) =>
      sendJson(response, 200, {
        data: [
          {
            id: 'a',
            context_length: 4_096,
            supported_parameters: ['temperature'],
            architecture: { input_modalities: ['text'] },
          },
          { id: 'b', supported_parameters: ['tools'], architecture: { input_modalities: ['image'] } },
        ],
      }),
    );
    servers.push(server);
    const { models } = await openRegistry({ OPENROUTER_BASE_URL: server.url, OPENROUTER_API_KEY: 'k' }).list();
    expect(models).toMatchObject([
      { id: 'openrouter/a', contextSize: 4_096, effectiveToolCalling: 'prompted', vision: false },
      { id: 'openrouter/b', contextSize: null, effectiveToolCalling: 'native', vision: true },
    ]);
  });

  test('a window that no model could have is not taken over, so that the list can still be read', async () => {
    const lengths = [0, 256, 4_096.5, -1, 8_192];
    const server = await startLocalServer((_, response) =>
      sendJson(response, 200, {
        data: lengths.map((context_length) => ({ id: `m${context_length}`, context_length })),
      }),
    );
    servers.push(server);
    const list = await openRegistry({ LOCAL_BASE_URL: server.url }).list();
    expect(list.models.map(({ contextSize }) => contextSize)).toEqual([null, null, 4_096, null, 8_192]);
    const sent: unknown = JSON.parse(
      JSON.stringify({ ...list, codecs: [], personal: { isAllowed: true, baseURLs: [] } }),
    );
    expect(modelListSchema.safeParse(sent).error).toBeUndefined();
  });

  test('models that their makers serve keep the makers’ defaults', async () => {
    const variables = {
      MISTRAL_API_KEY: 'k',
      MISTRAL_MODEL: 'mistral-small-latest',
      GEMINI_API_KEY: 'k',
      GEMINI_MODEL: 'gemma-3-27b-it',
    };
    const { models } = await openRegistry(variables).list();
    expect(models.map(({ use, effectiveToolCalling }) => [use.profile, effectiveToolCalling])).toEqual([
      [undefined, 'native'],
      [undefined, 'native'],
    ]);
  });

  test('LLM_PROVIDER selects the default if it has a model', async () => {
    const variables = {
      OPENAI_API_KEY: 'k',
      OPENAI_MODEL: 'a',
      GROQ_API_KEY: 'k',
      GROQ_MODEL: 'b',
      DEMO_MODEL: 'true',
    };
    expect((await openRegistry(variables).list()).defaultModel).toBe('openai/a');
    expect((await openRegistry({ ...variables, LLM_PROVIDER: 'groq' }).list()).defaultModel).toBe('groq/b');
    expect((await openRegistry({ ...variables, LLM_PROVIDER: 'demo' }).list()).defaultModel).toBe('demo');
    expect((await openRegistry({ ...variables, LLM_PROVIDER: ' groq ' }).list()).defaultModel).toBe('groq/b');
    expect((await openRegistry().list()).defaultModel).toBeNull();
  });
});

describe('a source that cannot be read is reported, and the others still count', () => {
  test('a file with an error', async () => {
    writeFileSync(modelsFile(), 'models:\n  - { provider: local, modle: x }\n');
    const { models, problems } = await openRegistry({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'a' }).list();
    expect(models.map(({ id }) => id)).toEqual(['openai/a']);
    expect(problems).toEqual([
      { source: modelsFile(), code: 'bad-configuration', detail: expect.stringContaining(`${modelsFile()}:2: `) },
    ]);
  });

  test('an environment with an error', async () => {
    writeModels('filed');
    const registry = openRegistry({ OPENAI_MODEL: 'a' });
    expect(await idsOf(registry)).toEqual(['local/filed']);
    expect((await registry.list()).problems).toMatchObject([{ source: 'environment', code: 'bad-configuration' }]);
  });

  test.each([
    [401, 'key-refused'],
    [403, 'key-refused'],
    [500, 'endpoint-error'],
    [404, 'not-a-list'],
  ])('an endpoint that responds with %i', async (status, code) => {
    const server = await startLocalServer((_, response) => sendJson(response, status, { error: 'key-1234-5678' }));
    servers.push(server);
    const registry = openRegistry({ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'key-1234-5678' });
    const { models, problems } = await registry.list();
    expect(models).toEqual([]);
    expect(problems).toMatchObject([{ source: 'OpenAI', code }]);
    expect(JSON.stringify(problems)).not.toContain('key-1234');
  });

  test('an endpoint that lists something other than models', async () => {
    const server = await startLocalServer((_, response) => sendJson(response, 200, { hello: 'world' }));
    servers.push(server);
    const { problems } = await openRegistry({ LOCAL_BASE_URL: server.url }).list();
    expect(problems).toMatchObject([{ source: 'Local server', code: 'not-a-list' }]);
  });

  test('an endpoint that does not exist', async () => {
    const { problems } = await openRegistry({ LOCAL_BASE_URL: `http://127.0.0.1:${await freePort()}/v1` }).list();
    expect(problems).toMatchObject([
      { source: 'Local server', code: 'endpoint-unreachable', detail: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  test('[R18] a password in a URL is not revealed', async () => {
    const { problems } = await openRegistry({ LOCAL_BASE_URL: 'http://me:hidden-word@127.0.0.1:1/v1' }).list();
    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain('hidden-word');
  });
});

describe('the list is refreshed', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });

  test('when it is outdated: a change to the file needs no restart', async () => {
    writeModels('old');
    const registry = openRegistry();
    expect(await idsOf(registry)).toEqual(['local/old']);
    writeModels('new');
    expect(await idsOf(registry)).toEqual(['local/old']);
    vi.setSystemTime(Date.now() + 5_001);
    expect(await idsOf(registry)).toEqual(['local/new']);
  });

  test('at once for a model that is missing from it, but not repeatedly', async () => {
    const server = await listingServer(['a']);
    const registry = openRegistry({ LOCAL_BASE_URL: server.url });
    expect(await registry.get('local/a')).toMatchObject({ model: 'a' });
    expect(await registry.get('local/b')).toBeUndefined();
    expect(server.requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 501);
    expect(await registry.get('local/b')).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  });

  test('concurrent readers share one request per endpoint', async () => {
    const server = await listingServer(['a']);
    const registry = openRegistry({ LOCAL_BASE_URL: server.url });
    await Promise.all([registry.list(), registry.list(), registry.get('local/a')]);
    expect(server.requests).toHaveLength(1);
  });
});

describe('how tools are called', () => {
  test('as configured, and natively by default', async () => {
    writeFileSync(
      modelsFile(),
      `models:
  - { provider: local, model: a, baseURL: 'http://x/v1' }
  - { provider: local, model: b, baseURL: 'http://x/v1', toolCalling: prompted }
  - { provider: local, model: c, baseURL: 'http://x/v1', toolCalling: native }
`,
    );
    const { models } = await openRegistry().list();
    expect(models.map(({ toolCalling, effectiveToolCalling }) => [toolCalling, effectiveToolCalling])).toEqual([
      ['auto', 'native'],
      ['prompted', 'prompted'],
      ['native', 'native'],
    ]);
  });

  test('a refusal is remembered for that model and endpoint, across lists, and never overrides a choice', async () => {
    writeFileSync(
      modelsFile(),
      `models:
  - { provider: local, model: a, baseURL: 'http://x/v1' }
  - { provider: local, model: a, id: other, baseURL: 'http://y/v1' }
  - { provider: local, model: a, id: chosen, baseURL: 'http://x/v1', toolCalling: native }
`,
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    const registry = openRegistry();
    const model = await registry.get('local/a');
    if (model === undefined) throw new Error('the model is not listed');
    registry.rememberToolRefusal(model);
    vi.setSystemTime(Date.now() + 60_000);
    const modes = async () =>
      (await registry.list()).models.map(({ id, effectiveToolCalling, toolsRefused }) => [
        id,
        effectiveToolCalling,
        toolsRefused,
      ]);
    expect(await modes()).toEqual([
      ['local/a', 'prompted', true],
      ['other', 'native', false],
      ['chosen', 'native', true],
    ]);
    registry.forgetToolRefusal(model);
    expect(await modes()).toEqual([
      ['local/a', 'native', false],
      ['other', 'native', false],
      ['chosen', 'native', false],
    ]);
    for (const inText of [true, false, false, true]) registry.rememberNativeCalls(model, inText);
    expect((await modes())[0]).toEqual(['local/a', 'native', false]);
    registry.rememberNativeCalls(model, true);
    expect((await modes())[0]).toEqual(['local/a', 'prompted', true]);
    registry.forgetToolRefusal(model);
    registry.rememberNativeCalls(model, true);
    expect((await modes())[0]).toEqual(['local/a', 'native', false]);
  });

  test('is tried again although another process had counted the calls', async () => {
    writeFileSync(modelsFile(), 'models: [{ provider: local, model: m, baseURL: "http://127.0.0.1:9/v1" }]');
    const refusals: ToolRefusals = new Set();
    const [one, other] = [openRegistry({}, refusals), openRegistry({}, refusals)];
    const model = await one.get('local/m');
    if (model === undefined) throw new Error('the model is not listed');
    for (const inText of [true, true, true]) other.rememberNativeCalls(model, inText);
    expect(one.effectiveToolCalling(model)).toBe('prompted');
    one.forgetToolRefusal(model);
    other.rememberNativeCalls(model, false);
    expect(one.effectiveToolCalling(model)).toBe('native');
  });
});
