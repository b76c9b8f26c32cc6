import { createClient } from '@redis/client';
import { ConfigError } from '#config/errors.ts';
import type { Log } from '#log/log.ts';
import { redact } from '#log/redact.ts';

/** The longest time for the first connection to Redis, in milliseconds. */
const CONNECT_MS = 5_000;

/** The interval at which Redis is asked for a sign of life, in milliseconds. */
const PING_MS = 2_000;

/** The time without any traffic after which a connection is closed, in milliseconds. */
const SILENCE_MS = 5_000;

/** The delays before attempts to reconnect, in milliseconds; the last one repeats. */
const RECONNECT_DELAYS_MS = [50, 100, 200, 500, 1_000] as const;

export type Redis = Awaited<ReturnType<typeof connect>>;

/**
 * Connects to the Redis that `SHARED_URL` names, or to a server with the same protocol, such as Valkey. Commands reject at once
 * while the connection is lost; it is made again in the background. Rejects with `ConfigError` if the first connection fails,
 * or if the server is set to drop data once its memory is full. Says in the log, once each, when the connection is lost and
 * back.
 */
export async function connect(url: string, log: Log) {
  let isLost = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      // Covers the handshake of a new connection. Later, `keepAlive` writes more often than that.
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (tries) => (isOpen ? (RECONNECT_DELAYS_MS[tries] ?? RECONNECT_DELAYS_MS[4]) : false),
    },
  });
  let isOpen = false;
  client.on('error', (error: unknown) => {
    if (!isOpen || isLost) return;
    isLost = true;
    log.warn({ error: String(error) }, 'redis lost');
  });
  client.on('ready', () => {
    if (isLost) log.info({}, 'redis is back');
    isLost = false;
  });
  try {
    await client.connect();
  } catch (error) {
    client.destroy();
    throw new ConfigError(`SHARED_URL: can’t connect to Redis. ${redact(String(error))}`, { cause: error });
  }
  isOpen = true;
  try {
    await refuseEviction(client);
  } catch (error) {
    client.destroy();
    throw error;
  }
  return client;
}

/**
 * Pings Redis regularly, and connects again if it does not reply: a connection can be dead without being closed.
 * Subscriptions are made again, too. Returns a function that stops this.
 */
export function keepAlive(client: Redis): () => void {
  const timer = setInterval(() => {
    if (!client.isReady) return;
    within(client.ping()).catch((error: unknown) => {
      if (!(error instanceof RedisSilentError) || !client.isReady) return;
      client.destroy();
      client.connect().catch(() => undefined);
    });
  }, PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The longest time for the reply to a command, in milliseconds: a connection can be dead without being closed. */
const REPLY_MS = 3_000;

/** Thrown if Redis does not reply in time. */
class RedisSilentError extends Error {
  override readonly name = 'RedisSilentError';

  constructor() {
    super(`Redis did not reply within ${REPLY_MS / 1_000} s.`);
  }
}

/**
 * Resolves with the reply to a Redis command. Rejects like the command, or with an error if there is no reply within
 * `REPLY_MS`.
 */
export async function within<T>(reply: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RedisSilentError()), REPLY_MS);
  });
  return Promise.race([reply, silent]).finally(() => clearTimeout(timer));
}

/** Rejects with `ConfigError` if the server evicts data once its memory is full: streams would lose their beginning. */
async function refuseEviction(client: { configGet(name: string): Promise<Record<string, string>> }): Promise<void> {
  // Hosted servers often do not allow the command. Then it is up to whoever configures them.
  const policy = await client.configGet('maxmemory*').catch(() => undefined);
  if (policy === undefined || policy.maxmemory === '0' || policy['maxmemory-policy'] === 'noeviction') return;
  throw new ConfigError(
    `SHARED_URL: this Redis evicts data (maxmemory-policy is ${policy['maxmemory-policy']}). Set maxmemory-policy to noeviction.`,
  );
}
