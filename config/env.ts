import * as z from 'zod';
import { ConfigError } from './errors.ts';

const positiveInteger = (fallback: number) =>
  z.preprocess((value) => (value === '' ? undefined : value), z.coerce.number().int().min(1).default(fallback));

const flag = (fallback: boolean) =>
  z.preprocess(
    (value) => (value === undefined || value === '' ? undefined : String(value).toLowerCase()),
    z
      .enum(['true', 'false', '1', '0', 'yes', 'no'], 'must be true or false')
      .transform((value) => ['true', '1', 'yes'].includes(value))
      .default(fallback),
  );

const optional = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

/**
 * The schema of all environment variables of the server, with their defaults, except those of model providers, such as their
 * keys. A test checks docs/CONFIGURATION.md against it.
 */
export const serverEnvSchema = z.object({
  LLM_PROVIDER: z.preprocess((value) => (value === '' ? undefined : value), z.string().optional()),
  MODELS_FILE: optional.default('models.yaml'),
  DISCOVER_LOCAL: flag(true),
  DEMO_MODEL: flag(true),
  AGENT_MAX_STEPS: positiveInteger(25),
  AGENT_STREAM: flag(true),
  AGENT_MAX_RETRIES: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(0).default(1),
  ),
  AGENT_TRACING: flag(false),
  AGENT_RESULT_SHARE: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().min(0.01).max(1).default(0.25),
  ),
  COMPACT_AT_SHARE: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().min(0).max(1).default(0.8),
  ),
  COMPACT_MESSAGE_CHARS: positiveInteger(2_000),
  MODEL_TIMEOUT_MS: positiveInteger(300_000),
  MODEL_SILENCE_MS: positiveInteger(120_000),
  DATABASE_URL: z.preprocess(
    (value) => (value === '' ? undefined : value),
    // The kinds are listed in server/graph/checkpointer/checkpointers.ts.
    z.string().default('sqlite:.data/checkpoints.db'),
  ),
  SHARED_URL: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z
      .string()
      .regex(/^(memory:$|rediss?:\/\/)/, 'must be memory: or redis://…')
      .default('memory:'),
  ),
  CHECKPOINT_RETENTION_HOURS: positiveInteger(168),
  RUN_RETENTION_MINUTES: positiveInteger(30),
  RUNS_MAX_BYTES: positiveInteger(134_217_728),
  REQUEST_MAX_BYTES: positiveInteger(33_554_432),
  CONTENTS_MAX_BYTES: positiveInteger(268_435_456),
  MESSAGE_MAX_CHARS: positiveInteger(2_000_000),
  REPLY_MAX_CHARS: positiveInteger(2_000_000),
  LOG_LEVEL: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  ),
  HOST: optional.default('localhost'),
  PORT: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(0).max(65535).default(3000),
  ),
  ALLOWED_HOSTS: optional,
  DRAIN_SECONDS: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(0).max(3_600).default(0),
  ),
  METRICS_PORT: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce.number().int().min(1).max(65535).optional(),
  ),
  METRICS_HOST: optional.default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.url({ protocol: /^https?$/, error: 'must be a URL like http://localhost:4318' }).optional(),
  ),
  PERSONAL_KEYS: flag(true),
  PERSONAL_BASE_URLS: optional,
  PERSONAL_ALLOWED_HOSTS: optional,
  MCP_FILE: optional.default('mcp.yaml'),
  MCP_RELAY: flag(true),
  MCP_RELAY_MAX_OPEN: positiveInteger(128),
  SANDBOX_ORIGIN: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z
      .string()
      .regex(/^https?:\/\/\*\.[a-z0-9.-]+(:\d+)?$/i, 'must be like https://*.sandbox.example.com')
      .optional(),
  ),
});

/** Environment variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type ServerEnv = z.output<typeof serverEnvSchema>;

/** Validates the server's variables, and adds defaults. Throws `ConfigError` naming each invalid variable. */
export function readServerEnv(env: Environment): ServerEnv {
  const parsed = serverEnvSchema.safeParse(env);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `${name}=${env[name] ?? ''}: ${issue.message}`;
  });
  throw new ConfigError(`The environment variables are invalid:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
