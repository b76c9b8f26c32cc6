import { OWN_HOST } from '../server-config.ts';
import { LoginError } from './login-problem.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i;

/** Addresses at which clouds serve metadata to their machines. */
const LINK_LOCAL = /^(169\.254(\.\d+){2}|\[fe[89ab][0-9a-f]:.*\]|\[::ffff:a9fe:.*\])$/i;

/**
 * Checks an address that is to take part in a login at a tool server, and returns it. It must use https; plain http is allowed
 * only on this machine. If the tool server is on the internet, addresses of this machine and its network are refused. Addresses
 * with a user name, and those at which clouds serve metadata to their machines, always are. Throws `LoginError` `untrusted`.
 */
export function checkEndpoint(address: string | URL, serverUrl: string): URL {
  const refuse = (): never => {
    throw new LoginError(
      'untrusted',
      `${String(address).slice(0, 200)} can’t take part in a login: only https addresses can, and those of this machine if the server itself is on it or in its network.`,
    );
  };
  if (!URL.canParse(String(address))) return refuse();
  const url = new URL(address);
  const isServerOwn = isInOwnNetwork(serverUrl);
  if (url.username !== '' || url.password !== '' || LINK_LOCAL.test(url.hostname)) return refuse();
  if (url.protocol === 'https:' && (isServerOwn || !OWN_HOST.test(url.hostname))) return url;
  if (url.protocol === 'http:' && isServerOwn && LOOPBACK.test(url.hostname)) return url;
  return refuse();
}

/** Checks whether the name of an address says that it is on this machine or in its network. */
export const isInOwnNetwork = (address: string): boolean => OWN_HOST.test(new URL(address).hostname);
