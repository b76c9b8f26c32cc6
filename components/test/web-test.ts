import type { WebTestServer } from '#e2e/lib/web-server.ts';
import { type RemoteServer, startServer } from './servers.ts';
import { test } from './studio-test.ts';

/** A test with two web sites that record the requests to them. */
export const webTest = test.extend<{ site: RemoteServer<WebTestServer>; other: RemoteServer<WebTestServer> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures it needs from this pattern
  site: async ({}, use) => {
    const server = await startServer('web');
    await use(server);
    await server.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  other: async ({}, use) => {
    const server = await startServer('web');
    await use(server);
    await server.stop();
  },
});
