// More than 400 lines: what each provider answers to each fault, in one table.
import { APICallError, RetryError } from 'ai';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isContextTooLong, isToolsRefusal, StepError } from '#lib/agent/problems.ts';
import { FALLBACK_PROTOCOL } from '#lib/prompts/codec.ts';
import { freePort } from '#scripts/lib/server.ts';
import { type LocalServer, sendJson, startLocalServer } from '#server/test/local-server.ts';
import { resolveModelConfig } from './config.ts';
import { describeModelError } from './problems.ts';
import { createLanguageModel } from './test/wrapped-model.ts';

let server: LocalServer | undefined;

afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.stop();
  server = undefined;
});

/** The error of a provider's model call, before or during streaming. */
async function failureOf(provider: string, baseURL: string, timeoutMs = 2_000): Promise<unknown> {
  const model = createLanguageModel(resolveModelConfig({ provider, model: 'm', baseURL, toolCalling: 'auto' }), {
    apiKey: 'key-1234-5678',
    toolCalling: 'native',
    protocol: FALLBACK_PROTOCOL,
    tools: [],
    stream: true,
    timeoutMs,
  });
  try {
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    for await (const part of stream as unknown as AsyncIterable<{ type: string; error?: unknown }>)
      if (part.type === 'error') return part.error;
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail');
}

async function refusedWith(provider: string, status: number, body: unknown) {
  server = await startLocalServer((_, response) => sendJson(response, status, body));
  return failureOf(provider, `${server.url}/v1`);
}

const openAiError = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', param: null, code },
});
const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const googleError = (code: number, status: string, message: string) => ({ error: { code, message, status } });

describe('provider errors, by code', () => {
  test.each<[string, string, number, unknown, string]>([
    ['OpenAI, wrong key', 'local', 401, openAiError('Incorrect API key provided.', 'invalid_api_key'), 'key-refused'],
    [
      'OpenAI, no such model',
      'local',
      404,
      openAiError('The model `gpt-9` does not exist or you do not have access to it.', 'model_not_found'),
      'model-not-found',
    ],
    [
      'OpenAI, rate limit',
      'local',
      429,
      openAiError('Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000', 'rate_limit_exceeded'),
      'rate-limited',
    ],
    [
      'OpenAI, no credit',
      'local',
      429,
      openAiError('You exceeded your current quota, please check your plan.', 'insufficient_quota'),
      'no-credit',
    ],
    [
      'Gemini, the limit of a minute',
      'google',
      429,
      {
        error: {
          code: 429,
          message:
            'You exceeded your current quota, please check your plan and billing details. Please retry in 35.5s.',
          status: 'RESOURCE_EXHAUSTED',
        },
      },
      'rate-limited',
    ],
    [
      'OpenAI, another country',
      'local',
      403,
      openAiError('Country, region, or territory not supported', 'unsupported_country_region_territory'),
      'access-refused',
    ],
    ['DeepSeek, no credit', 'local', 402, openAiError('Insufficient Balance'), 'no-credit'],
    ['a gateway, no credit', 'local', 500, openAiError('insufficient balance'), 'no-credit'],
    [
      'a gateway that repeats the request',
      'local',
      500,
      { error: { message: 'Internal error' }, prompt: 'What does insufficient funds mean?' },
      'endpoint-error',
    ],
    ['a gateway in China, no credit', 'local', 403, openAiError('用户额度不足, 剩余额度: ＄0.00'), 'no-credit'],
    [
      'DashScope, no credit',
      'local',
      400,
      openAiError('Access denied, please make sure your account is in good standing.', 'Arrearage'),
      'no-credit',
    ],
    [
      'Anthropic, no credit',
      'anthropic',
      400,
      anthropicError('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      'no-credit',
    ],
    [
      'OpenAI, too long',
      'local',
      400,
      openAiError(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens.",
        'context_length_exceeded',
      ),
      'context-too-long',
    ],
    [
      'OpenAI, down',
      'local',
      500,
      openAiError('The server had an error while processing your request.'),
      'endpoint-error',
    ],
    [
      'OpenAI, another fault of the request',
      'local',
      400,
      openAiError("Invalid value for 'temperature'."),
      'endpoint-error',
    ],
    [
      'Anthropic, wrong key',
      'anthropic',
      401,
      anthropicError('authentication_error', 'invalid x-api-key'),
      'key-refused',
    ],
    [
      'Anthropic, no permission',
      'anthropic',
      403,
      anthropicError('permission_error', 'Your API key does not have permission'),
      'key-refused',
    ],
    [
      'Anthropic, no such model',
      'anthropic',
      404,
      anthropicError('not_found_error', 'model: claude-9'),
      'model-not-found',
    ],
    [
      'Anthropic, too long',
      'anthropic',
      400,
      anthropicError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
      'context-too-long',
    ],
    ['Anthropic, overloaded', 'anthropic', 529, anthropicError('overloaded_error', 'Overloaded'), 'endpoint-error'],
    [
      'Google, wrong key',
      'google',
      403,
      googleError(403, 'PERMISSION_DENIED', 'Method doesn’t allow unregistered callers'),
      'key-refused',
    ],
    [
      'Google, rate limit',
      'google',
      429,
      googleError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted'),
      'rate-limited',
    ],
    [
      'Google, too long',
      'google',
      400,
      googleError(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context-too-long',
    ],
    [
      'Google, no such model',
      'google',
      404,
      googleError(404, 'NOT_FOUND', 'models/gemini-9 is not found for API version v1beta'),
      'model-not-found',
    ],
    [
      'vLLM, no chat template',
      'local',
      400,
      openAiError(
        'As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.',
      ),
      'no-chat-template',
    ],
    [
      'Transformers, no chat template',
      'local',
      500,
      openAiError('Cannot use chat template functions because tokenizer.chat_template is not set'),
      'no-chat-template',
    ],
    [
      'Ollama, a model for embeddings',
      'local',
      400,
      openAiError('"nomic-embed-text:latest" does not support chat'),
      'no-chat-template',
    ],
    ['Ollama, no such model', 'local', 404, openAiError("model 'qwen9' not found"), 'model-not-found'],
    [
      'Ollama, no tools',
      'local',
      400,
      openAiError('registry.ollama.ai/library/gemma:2b does not support tools'),
      'tools-refused',
    ],
    [
      'vLLM, tools not enabled',
      'local',
      400,
      openAiError('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'tools-refused',
    ],
    [
      'vLLM, too long',
      'local',
      400,
      openAiError(
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens. Please reduce the length of the messages or completion.",
      ),
      'context-too-long',
    ],
    ['vLLM, no such model', 'local', 404, openAiError('The model `x` does not exist.'), 'model-not-found'],
    [
      'llama.cpp, no template for tools',
      'local',
      500,
      openAiError('tools param requires --jinja flag'),
      'tools-refused',
    ],
    [
      'llama.cpp, too long',
      'local',
      400,
      openAiError('the request exceeds the available context size (4096 tokens), try increasing it'),
      'context-too-long',
    ],
    [
      'LM Studio, too long',
      'local',
      400,
      openAiError(
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      ),
      'context-too-long',
    ],
    [
      'OpenRouter, no route with tools',
      'local',
      404,
      openAiError(
        'No endpoints found that support tool use. To learn more about provider routing, visit the documentation',
      ),
      'tools-refused',
    ],
    [
      'Gemini, no tools',
      'google',
      400,
      {
        error: {
          code: 400,
          message: 'Function calling is not enabled for models/gemma-3-27b-it',
          status: 'INVALID_ARGUMENT',
        },
      },
      'tools-refused',
    ],
    ['Groq, no tools', 'local', 400, openAiError('`tool calling` is not supported with this model'), 'tools-refused'],
    [
      'OpenAI, an unknown argument',
      'local',
      400,
      openAiError('Unrecognized request argument supplied: tools'),
      'tools-refused',
    ],
    [
      'Groq, no such model',
      'local',
      404,
      openAiError('The model `llama-9` does not exist or you do not have access to it.', 'model_not_found'),
      'model-not-found',
    ],
    ['a gateway that gave up', 'local', 504, { detail: 'upstream timed out' }, 'endpoint-timeout'],
    ['a wrong model as a bad request', 'local', 400, openAiError('invalid model: x'), 'model-not-found'],
  ])('%s', async (_name, provider, status, body, code) => {
    const error = await refusedWith(provider, status, body);
    expect(describeModelError(error).code).toBe(code);
    expect(isContextTooLong(error)).toBe(code === 'context-too-long');
    expect(isToolsRefusal(error)).toBe(code === 'tools-refused');
  });

  test('the endpoint’s own message and status are reported', async () => {
    const error = await refusedWith('local', 400, openAiError("Invalid value for 'temperature'."));
    expect(describeModelError(error).detail).toBe("400: Invalid value for 'temperature'.");
  });

  test('a status that the message begins with is not said twice', async () => {
    const error = await refusedWith('local', 422, openAiError('422: Invalid value.'));
    expect(describeModelError(error).detail).toBe('422: Invalid value.');
    const long = await refusedWith('local', 400, openAiError('4000 characters are the most.'));
    expect(describeModelError(long).detail).toBe('400: 4000 characters are the most.');
  });

  test('[R18] a long key that is repeated many times is not left over in part', () => {
    const key = 'canary'.repeat(170);
    const message = `no ${key}`.repeat(40);
    const how = { url: 'http://a', requestBodyValues: {}, statusCode: 400 };
    for (const text of [message, `${'x'.repeat(500)} ${message}`]) {
      const { detail } = describeModelError(new APICallError({ message: text, ...how }), key);
      expect(detail).not.toContain('canary');
    }
  });

  test.each([
    [{ 'retry-after': '300' }, '429: Slow down (try again in 5 minutes)'],
    [{ 'retry-after': new Date(Date.now() + 7_150_000).toUTCString() }, '429: Slow down (try again in 120 minutes)'],
    [{ 'retry-after': '20' }, '429: Slow down'],
    [{ 'retry-after': 'soon' }, '429: Slow down'],
    [{}, '429: Slow down'],
  ])('a wait of more than a minute is said: %s', (responseHeaders, detail) => {
    const how = { url: 'http://a', requestBodyValues: {}, statusCode: 429, responseHeaders };
    expect(describeModelError(new APICallError({ message: 'Slow down', ...how })).detail).toBe(detail);
  });

  test('a page instead of an error is summarized briefly', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end(`<html>${'x'.repeat(50_000)}</html>`);
    });
    const { code, detail } = describeModelError(await failureOf('local', server.url));
    expect(code).toBe('endpoint-error');
    expect(detail).toBe('502: Bad Gateway');
  });
});

describe('connections that fail', () => {
  test('an endpoint on which nothing listens', async () => {
    const problem = describeModelError(await failureOf('local', `http://127.0.0.1:${await freePort()}/v1`));
    expect(problem.code).toBe('endpoint-unreachable');
    expect(problem.detail).toContain('ECONNREFUSED');
  });

  test('an endpoint that accepts the request and never responds', async () => {
    server = await startLocalServer(() => new Promise(() => undefined));
    expect(describeModelError(await failureOf('local', server.url, 50)).code).toBe('endpoint-timeout');
  });

  test('an endpoint that stalls in the middle of its reply', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n');
    });
    expect(describeModelError(await failureOf('local', server.url, 200)).code).toBe('endpoint-timeout');
  });

  test.each<string>(['local', 'openai', 'anthropic', 'google'])(
    '[R18] %s: a redirect is not followed, with the key or without',
    async (provider) => {
      const elsewhere = await startLocalServer((_, response) => sendJson(response, 200, {}));
      server = await startLocalServer((_, response) => {
        response.writeHead(307, { location: `${elsewhere.url}/v2/chat?key=1` }).end();
      });
      const problem = describeModelError(await failureOf(provider, `${server.url}/v1`));
      expect(problem).toEqual({
        code: 'endpoint-error',
        detail: `${server.url} redirects to ${elsewhere.url}/v2/chat, and redirects are not followed. Set the base URL to the address it redirects to.`,
      });
      expect(elsewhere.requests).toEqual([]);
      await elsewhere.stop();
    },
  );

  test('a connection that is reset before the reply', async () => {
    server = await startLocalServer((_, response) => {
      response.destroy();
    });
    expect(describeModelError(await failureOf('local', server.url)).code).toBe('endpoint-unreachable');
  });

  test('a stream that breaks off', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n', () => response.destroy());
    });
    expect(describeModelError(await failureOf('local', server.url)).code).toBe('stream-broken');
  });

  test('a connection that is closed before the first word', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': one moment\n\n', () => response.destroy());
    });
    expect(describeModelError(await failureOf('local', server.url)).code).toBe('endpoint-unreachable');
  });

  test('a response that cannot be read to its end', () => {
    const how = { url: 'http://a', requestBodyValues: {}, statusCode: 200 };
    const error = new APICallError({ message: 'Failed to process successful response', ...how });
    expect(describeModelError(error)).toEqual({
      code: 'stream-broken',
      detail: 'The connection was closed before the reply was complete.',
    });
  });

  test('attempts that all failed are described by the last one', () => {
    const how = { url: 'http://a', requestBodyValues: {}, isRetryable: true };
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
    const last = new APICallError({ message: 'Cannot connect to API: fetch failed', cause: refused, ...how });
    const error = new RetryError({ message: 'Failed after 2 attempts.', reason: 'maxRetriesExceeded', errors: [last] });
    expect(describeModelError(error)).toEqual({
      code: 'endpoint-unreachable',
      detail: 'connect ECONNREFUSED 127.0.0.1:9',
    });
  });

  test('a web page in place of a reply', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in');
    });
    const { code, detail } = describeModelError(await failureOf('local', server.url));
    expect([code, detail]).toEqual(['endpoint-error', 'The server sent a web page instead of a reply.']);
  });

  test('a stream that ends without a finish', async () => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n');
    });
    expect(describeModelError(await failureOf('local', server.url)).code).toBe('stream-broken');
  });

  test.each([
    ['context size has been exceeded', 'context-too-long'],
    ['CUDA out of memory', 'endpoint-error'],
  ])('an error in the middle of a stream: %s', async (message, code) => {
    server = await startLocalServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n');
      response.end(`data: {"error":{"message":"${message}","type":"server_error"}}\n\n`);
    });
    const problem = describeModelError(await failureOf('local', server.url));
    expect(problem).toEqual({ code, detail: expect.stringContaining(message) });
  });
});

describe('[R18] messages contain no secrets', () => {
  test('a key that an endpoint repeats is removed', async () => {
    vi.stubEnv('TEST_API_KEY', 'plain-secret-word');
    const error = await refusedWith(
      'local',
      401,
      openAiError('Incorrect API key provided: sk-proj-abcdefgh12345678 (plain-secret-word)'),
    );
    expect(describeModelError(error).detail).toBe('401: Incorrect API key provided: [redacted] ([redacted])');
  });

  test('a password in the URL is removed', async () => {
    const problem = describeModelError(await failureOf('local', 'http://me:hidden-word@127.0.0.1:1/v1'));
    expect(problem.detail).not.toContain('hidden-word');
  });
});

describe('anything else', () => {
  test('a step’s own problem is reported unchanged', () => {
    expect(describeModelError(new StepError('empty-reply', 'Nothing came.'))).toEqual({
      code: 'empty-reply',
      detail: 'Nothing came.',
    });
  });

  const circular: { self?: unknown } = {};
  circular.self = circular;

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 42n],
    ['a text', 'text'],
    ['an object', { message: 'words' }],
    ['an object without words', { reason: 1 }],
    ['an object that holds itself', circular],
    ['an error', new Error('words')],
    ['an error without words', new Error('')],
  ])('%s, if thrown, is also a problem and does not cause another failure', (_, error) => {
    const problem = describeModelError(error);
    expect(['stream-broken', 'endpoint-error']).toContain(problem.code);
    expect(typeof problem.detail).toBe('string');
  });

  test('a very long message is truncated', () => {
    expect(describeModelError(new Error('x'.repeat(100_000))).detail).toHaveLength(1_000);
  });

  test('a refusal because of the key or the rate never counts as a refusal of tools', () => {
    for (const statusCode of [401, 403, 429]) {
      const error = new APICallError({
        message: 'Your plan does not support tools',
        url: 'http://x',
        requestBodyValues: {},
        statusCode,
      });
      expect(isToolsRefusal(error)).toBe(false);
    }
  });

  test('[R18] a key in the target of a redirect is removed, also one that came with the request', () => {
    const error = new StepError('endpoint-error', 'http://a redirects to http://a/login/plain-key-777.');
    expect(describeModelError(error, 'plain-key-777').detail).toBe('http://a redirects to http://a/login/[redacted].');
  });

  test('a message of a hundred megabytes is not searched to its end', () => {
    const message = 'context '.repeat(12_500_000);
    const options = { url: 'http://a', requestBodyValues: {}, statusCode: 400, responseBody: message };
    expect(describeModelError(new APICallError({ ...options, message })).detail).toHaveLength(1_000);
  });
});
