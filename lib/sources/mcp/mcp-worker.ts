import { expose } from 'comlink';
import { RELAY_PATH } from '#lib/wire/mcp.ts';
import { McpHost } from './mcp-host.ts';
import { relayFetch } from './relay-fetch.ts';

// A worker of its own for each server: whatever a server sends, only this thread has to read it.
expose(
  new McpHost([
    { name: 'direct', fetch: (input, init) => fetch(input, init) },
    {
      name: 'relay',
      fetch: relayFetch(new URL(RELAY_PATH, self.location.origin)),
      // The studio’s own servers need nobody in between.
      reaches: (url) => new URL(url).origin !== self.location.origin,
    },
  ]),
);
