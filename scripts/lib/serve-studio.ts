import type { ServerEnv } from '#config/env.ts';
import { messageOf } from '#lib/base/message-of.ts';
import { type ModelList, modelListSchema } from '#lib/wire/models.ts';
import { bindAddress, isLoopback } from './config.ts';
import { freePort, type StartOptions, startServer } from './server.ts';

/** Serves the studio until it is told to end, and prints its URL. `options`: how its server is started. */
export async function serveStudio(env: ServerEnv, options: Pick<StartOptions, 'env' | 'script'> = {}): Promise<void> {
  const port = env.PORT === 0 ? await freePort() : env.PORT;
  if (!isLoopback(env.HOST)) {
    process.stderr.write(
      `HOST=${env.HOST}: other machines can reach the studio and use your keys without logging in. Put it behind a proxy that requires a login.\n`,
    );
  }
  try {
    const server = await startServer({
      ...options,
      port,
      host: bindAddress(env.HOST),
      env: { ...options.env, HOST: env.HOST },
    });
    server.process.stderr?.pipe(process.stderr);
    const list = modelListSchema.parse(await (await fetch(`${server.url}/api/models`)).json());
    process.stdout.write(`Roundtrip Studio is at http://${env.HOST}:${port} · ${describeModels(list)}\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop(signal));
    server.process.once('exit', (code) => process.exit(code ?? 0));
  } catch (error) {
    const message = messageOf(error);
    const inUse = message.includes('EADDRINUSE');
    process.stderr.write(
      inUse ? `Port ${port} is in use. Choose another one, for instance PORT=${port + 1}.\n` : `${message}\n`,
    );
    process.exit(1);
  }
}

function describeModels({ models, problems }: ModelList): string {
  const real = models.filter(({ demo }) => !demo).map(({ id }) => id);
  const shown = real.slice(0, 6).join(', ') + (real.length > 6 ? ` and ${real.length - 6} more` : '');
  const none = models.length === 0 ? 'no models found' : 'no models found, only the demo';
  const found = real.length === 0 ? none : `models: ${shown}`;
  const failed = problems.map(({ source, detail }) => `${source}: ${detail}`);
  return failed.length === 0 ? found : `${found} · unreachable: ${failed.join('; ')}`;
}
