import { describe, expect, test } from 'vitest';
import { readServerEnv, serverEnvSchema } from './env.ts';
import { ConfigError } from './errors.ts';

/** The lines of the error for an environment, except the first, which is only a heading. */
function faults(env: Record<string, string>): string[] {
  try {
    readServerEnv(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').slice(1);
    throw error;
  }
  throw new Error('the environment was accepted');
}

describe('the server’s variables', () => {
  test('none is required: the defaults give a local studio that keeps its threads', () => {
    expect(readServerEnv({})).toEqual({
      LLM_PROVIDER: undefined,
      MODELS_FILE: 'models.yaml',
      DISCOVER_LOCAL: true,
      DEMO_MODEL: true,
      AGENT_MAX_STEPS: 25,
      AGENT_STREAM: true,
      AGENT_MAX_RETRIES: 1,
      AGENT_TRACING: false,
      AGENT_RESULT_SHARE: 0.25,
      COMPACT_AT_SHARE: 0.8,
      COMPACT_MESSAGE_CHARS: 2_000,
      MCP_FILE: 'mcp.yaml',
      MCP_RELAY: true,
      MCP_RELAY_MAX_OPEN: 128,
      MODEL_TIMEOUT_MS: 300_000,
      MODEL_SILENCE_MS: 120_000,
      DATABASE_URL: 'sqlite:.data/checkpoints.db',
      SHARED_URL: 'memory:',
      CHECKPOINT_RETENTION_HOURS: 168,
      RUN_RETENTION_MINUTES: 30,
      RUNS_MAX_BYTES: 134_217_728,
      REQUEST_MAX_BYTES: 33_554_432,
      CONTENTS_MAX_BYTES: 268_435_456,
      MESSAGE_MAX_CHARS: 2_000_000,
      REPLY_MAX_CHARS: 2_000_000,
      LOG_LEVEL: 'info',
      HOST: 'localhost',
      PORT: 3_000,
      ALLOWED_HOSTS: undefined,
      DRAIN_SECONDS: 0,
      METRICS_PORT: undefined,
      OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      METRICS_HOST: '127.0.0.1',
      PERSONAL_KEYS: true,
      PERSONAL_BASE_URLS: undefined,
      PERSONAL_ALLOWED_HOSTS: undefined,
    });
  });

  test('an empty variable, as in compose files, counts as unset', () => {
    const empty = Object.fromEntries(Object.keys(serverEnvSchema.shape).map((name) => [name, '']));
    expect(readServerEnv(empty)).toEqual(readServerEnv({}));
  });

  test.each([
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['yes', true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['no', false],
  ])('common spellings of a boolean are accepted: %s', (written, value) => {
    expect(readServerEnv({ AGENT_STREAM: written }).AGENT_STREAM).toBe(value);
  });

  test('numbers are parsed, including their bounds', () => {
    const env = readServerEnv({ PORT: '0', AGENT_MAX_RETRIES: '0', AGENT_MAX_STEPS: '1', AGENT_RESULT_SHARE: '1' });
    expect(env).toMatchObject({ PORT: 0, AGENT_MAX_RETRIES: 0, AGENT_MAX_STEPS: 1, AGENT_RESULT_SHARE: 1 });
  });

  test('other variables are ignored', () => {
    expect(readServerEnv({ OPENAI_API_KEY: 'key-1234', PATH: '/bin' })).toEqual(readServerEnv({}));
  });
});

describe('an invalid value is rejected with its name, the value and the reason', () => {
  test.each([
    ['AGENT_STREAM', 'maybe'],
    ['AGENT_MAX_STEPS', '0'],
    ['AGENT_MAX_STEPS', 'many'],
    ['AGENT_MAX_STEPS', '2.5'],
    ['AGENT_MAX_RETRIES', '-1'],
    ['AGENT_RESULT_SHARE', '0'],
    ['COMPACT_AT_SHARE', '1.5'],
    ['COMPACT_MESSAGE_CHARS', '0'],
    ['AGENT_RESULT_SHARE', '25%'],
    ['MODEL_TIMEOUT_MS', '5m'],
    ['LOG_LEVEL', 'verbose'],
    ['PORT', '65536'],
    ['PORT', '3000/tcp'],
  ])('%s=%s', (name, value) => {
    const [line, ...others] = faults({ [name]: value });
    expect(line).toMatch(new RegExp(`^ {2}${name}=${value}: \\S`));
    expect(others).toEqual([]);
  });

  test('all errors at once', () => {
    expect(faults({ PORT: 'x', LOG_LEVEL: 'y', HOST: 'z' })).toHaveLength(2);
  });
});
