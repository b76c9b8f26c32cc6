import { expose } from 'comlink';
import { relayFetch } from '#lib/sources/mcp/relay-fetch.ts';
import { RELAY_PATH } from '#lib/wire/mcp.ts';
import { RestHost } from './rest-host.ts';

// The page's policy lets only a worker of its own call other sites, and only this thread has to read what comes from there.
expose(
  new RestHost([
    { name: 'direct', fetch: (input, init) => fetch(input, init) },
    { name: 'relay', fetch: relayFetch(new URL(RELAY_PATH, self.location.origin)) },
  ]),
);
