import type { KeyVault } from '#lib/keys/key-vault.ts';

/** A vault that keeps what it is given, and can be locked. */
export function lockableVault(): Pick<KeyVault, 'put' | 'get' | 'delete' | 'isLocked'> & {
  secrets: Map<string, string>;
  locked: boolean;
} {
  const secrets = new Map<string, string>();
  const remove = (id: string) => {
    for (const key of secrets.keys()) if (key.startsWith(`${id} `)) secrets.delete(key);
  };
  const vault = {
    secrets,
    locked: false,
    async put(id: string, boundTo: string, secret: string) {
      remove(id);
      secrets.set(`${id} ${boundTo}`, secret);
    },
    get: async (id: string, boundTo: string) => secrets.get(`${id} ${boundTo}`),
    delete: async (id: string) => remove(id),
    isLocked: async () => vault.locked,
  };
  return vault;
}
