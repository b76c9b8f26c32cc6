import { expose } from 'comlink';
import { RELAY_PATH } from '#lib/wire/mcp.ts';
import { relayFetch } from '../relay-fetch.ts';
import { LoginHost } from './login-host.ts';

// Apart from the connection to the server: what an authorization server sends is nothing to the tool server, and the other
// way round.
const relay = new URL(RELAY_PATH, self.location.origin);
expose(
  new LoginHost([
    { name: 'direct', fetch: (input, init) => fetch(input, init) },
    { name: 'relay', fetch: relayFetch(relay), fetchForeign: relayFetch(relay, { isForeign: true }) },
  ]),
);
