import * as z from 'zod';
import type { KeyVault } from '#lib/keys/key-vault.ts';
import { type RestApi, secretsOf } from '#lib/sources/http-api/api.ts';
import { HTTP_API, toolsetOf } from '#lib/tools/toolset-names.ts';

const secretsSchema = z.record(z.string(), z.string());

/** The values of an API's secrets, or why they cannot be read. `missing`: the names of secrets without a value. */
type ApiSecretsFound =
  | { values: Record<string, string> }
  | { problem: 'locked' | 'secret-gone'; missing: readonly string[] };

type Api = Pick<RestApi, 'name' | 'baseUrl' | 'headers' | 'tools'>;

/** The values of APIs' secrets, in the vault: those of each API are bound to its name and the server that it is at. */
export class ApiSecrets {
  readonly #vault: () => Promise<KeyVault>;

  constructor(vault: () => Promise<KeyVault>) {
    this.#vault = vault;
  }

  /**
   * Stores the values of the secrets that an API names: for each, the one in `added` or, without that, the one that is stored
   * already, if any. All other values of the API are deleted. Rejects with `VaultLocked`.
   */
  async put(api: Api, added: Readonly<Record<string, string>>): Promise<void> {
    const names = secretsOf(api);
    if (names.length === 0) return this.delete(api.name);
    const vault = await this.#vault();
    const known = { ...(await this.#stored(vault, api)), ...added };
    const kept = names.flatMap((name) => (Object.hasOwn(known, name) ? [[name, known[name] ?? '']] : []));
    await vault.put(toolsetOf(HTTP_API, api.name), boundTo(api), JSON.stringify(Object.fromEntries(kept)));
  }

  /** Returns the values of all secrets that an API names, or the reason why they cannot be used. Never rejects. */
  async of(api: Api): Promise<ApiSecretsFound> {
    const names = secretsOf(api);
    if (names.length === 0) return { values: {} };
    try {
      const vault = await this.#vault();
      if (await vault.isLocked()) return { problem: 'locked', missing: names };
      const stored = await this.#stored(vault, api);
      const missing = names.filter((name) => !Object.hasOwn(stored, name) || stored[name] === '');
      if (missing.length > 0) return { problem: 'secret-gone', missing };
      return { values: Object.fromEntries(names.map((name) => [name, stored[name] ?? ''])) };
    } catch {
      // As if they were not there.
      return { problem: 'secret-gone', missing: names };
    }
  }

  async delete(name: string): Promise<void> {
    await (await this.#vault()).delete(toolsetOf(HTTP_API, name));
  }

  async #stored(vault: KeyVault, api: Api): Promise<Record<string, string>> {
    const secret = await vault.get(toolsetOf(HTTP_API, api.name), boundTo(api));
    return secretsSchema.safeParse(secret === undefined ? undefined : JSON.parse(secret)).data ?? {};
  }
}

/** Returns the origin that may get the secrets of an API. Another server, even another port, does not get them. */
const boundTo = ({ baseUrl }: Api): string => new URL(baseUrl).origin;
