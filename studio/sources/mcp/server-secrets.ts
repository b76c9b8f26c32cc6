import * as z from 'zod';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import type { ServerConfig } from '#lib/sources/mcp/server-config.ts';
import { TOOL_SERVER, toolsetOf } from '#lib/tools/toolset-names.ts';

const secretsSchema = z.record(z.string(), z.string());

/** The reason why a server's secrets are not available. */
interface SecretsProblem {
  code: 'locked' | 'secret-gone';
  detail: string;
}

/** The values of servers' headers, in the vault: each is bound to its server's name and address. */
export class ServerSecrets {
  readonly #vault: () => Promise<KeyVault>;

  constructor(vault: () => Promise<KeyVault>) {
    this.#vault = vault;
  }

  /**
   * Stores the values of a server's headers, in place of those that a server of this name had; without any, deletes the stored
   * ones. Rejects with `VaultLocked`.
   */
  async put(
    { name, url }: Pick<ServerConfig, 'name' | 'url'>,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (Object.keys(headers).length === 0) return this.delete(name);
    await (await this.#vault()).put(toolsetOf(TOOL_SERVER, name), url, JSON.stringify(headers));
  }

  /**
   * Changes a server's headers to those with these names. A name without a value keeps the one that is stored for it. Rejects
   * with `VaultLocked`.
   */
  async change(
    config: Pick<ServerConfig, 'name' | 'url' | 'headers' | 'login'>,
    names: readonly string[],
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    const known = await this.of(config);
    const all = { ...('values' in known && known.values), ...values };
    const headers = names.flatMap((one) => (Object.hasOwn(all, one) ? [[one, all[one] ?? '']] : []));
    await this.put(config, Object.fromEntries(headers));
  }

  /**
   * Returns the values of a server's headers, or why they cannot be read. For a server with a login, a locked vault is a
   * problem even if it has no headers.
   */
  async of({
    name,
    url,
    headers,
    login,
  }: Pick<ServerConfig, 'name' | 'url' | 'headers' | 'login'>): Promise<
    { values: Record<string, string> } | { problem: SecretsProblem }
  > {
    if (headers.length === 0 && login === undefined) return { values: {} };
    try {
      const vault = await this.#vault();
      if (await vault.isLocked())
        return { problem: { code: 'locked', detail: 'The passphrase of your keys has not been entered.' } };
      const secret = await vault.get(toolsetOf(TOOL_SERVER, name), url);
      const stored = secretsSchema.safeParse(secret === undefined ? undefined : JSON.parse(secret)).data ?? {};
      const values = headers.flatMap((header) =>
        Object.hasOwn(stored, header) ? [[header, stored[header] ?? '']] : [],
      );
      if (values.length === headers.length) return { values: Object.fromEntries(values) };
    } catch {
      // As if it were not there.
    }
    const detail = `The values of its headers are not in this browser: ${headers.join(', ')}.`;
    return { problem: { code: 'secret-gone', detail } };
  }

  async delete(name: string): Promise<void> {
    await (await this.#vault()).delete(toolsetOf(TOOL_SERVER, name));
  }
}
