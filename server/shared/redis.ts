import { createClient } from '@redis/client';
import { ConfigError } from '#config/errors.ts';
import type { Log } from '#log/log.ts';
import { redact } from '#log/redact.ts';

/** The longest time for the first connection to Redis, in milliseconds. */
const CONNECT_MS = 5_000;

/** The interval at which Redis is asked for a sign of life, in milliseconds. */
const PING_MS = 2_000;

/** The silence after which a connection counts as dead, in milliseconds. */
const SILENCE_MS = 5_000;

/** The delays before attempts to reconnect, in milliseconds; the last one repeats. */
const RECONNECT_DELAYS_MS = [50, 100, 200, 500, 1_000] as const;

export type Redis = Awaited<ReturnType<typeof connect>>;

/**
 * Connects to the Redis that `SHARED_URL` names, or to a server with the same protocol, such as Valkey. Commands reject at once
 * while the connection is lost; it is made again in the background. Rejects with `ConfigError` if the first connection fails, or
 * if the server would throw away data. Says in the log, once each, when the connection is lost and back.
 */
export async function connect(url: string, log: Log) {
  let isLost = false;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
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
  await refuseEviction(client);
  return client;
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
