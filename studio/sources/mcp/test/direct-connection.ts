import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { McpConnection } from '#lib/sources/mcp/mcp-client.ts';
import { McpHost } from '#lib/sources/mcp/mcp-host.ts';
import { ServerLogins } from '../server-logins.ts';

/** A connection without a worker between. */
export class DirectConnection implements McpConnection {
  readonly #host: McpHost;

  constructor(fetch: typeof globalThis.fetch) {
    this.#host = new McpHost([{ name: 'direct', fetch }]);
  }

  open: McpConnection['open'] = (...args) => this.#host.open(...args);
  list: McpConnection['list'] = () => this.#host.list();
  call: McpConnection['call'] = (name, args, { signal, ...caller }) => {
    signal.addEventListener('abort', () => this.#host.cancel('one'));
    return this.#host.call('one', name, args, caller);
  };
  content: McpConnection['content'] = (request) => this.#host.content('two', request);
  complete: McpConnection['complete'] = (request) => this.#host.complete('three', request);
  end: McpConnection['end'] = () => void this.#host.close();
}

/** The logins of somebody who never logs in. */
export const noLogins = (vault: () => Promise<KeyVault>): ServerLogins =>
  new ServerLogins(vault, () => {
    throw new Error('Nobody logs in.');
  });
