import type { ServerEnv } from './env.ts';
import { LOOPBACK_HOSTS } from './loopback.ts';

/**
 * Returns the entries of a comma-separated list in a variable, without spaces around them; none if the variable is undefined.
 */
export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/**
 * Returns the rules for requests of the server to addresses that browsers name, such as that of a person's own model server.
 * `allowedHosts`: the hosts in `PERSONAL_ALLOWED_HOSTS`, which may be called wherever they are. `allowsPrivate`: whether others
 * in private networks may be called, too: only if the studio can be reached by no other names than those of this machine.
 * `ownPort`: the studio's port, which is never called on this machine.
 */
export function addressPolicyOf(env: Pick<ServerEnv, 'HOST' | 'PORT' | 'ALLOWED_HOSTS' | 'PERSONAL_ALLOWED_HOSTS'>) {
  const allowedHosts = new Set(listOf(env.PERSONAL_ALLOWED_HOSTS).map((host) => host.toLowerCase()));
  // With other names than those of this machine, the studio is behind a proxy, and open to others.
  const hosts = [env.HOST, ...listOf(env.ALLOWED_HOSTS)].map((host) => host.toLowerCase());
  const allowsPrivate = hosts.every((host) => LOOPBACK_HOSTS.has(host));
  return { allowsPrivate, allowedHosts, ownPort: env.PORT };
}
