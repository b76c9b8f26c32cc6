/** Matches names of hosts with an ending that no public server has, such as `.local`. */
const PRIVATE_ENDINGS = /\.(?:localhost|local|internal|lan|home\.arpa)$/;

/** Matches IP addresses of this machine and of local networks, as `URL` writes them. */
const PRIVATE_ADDRESS =
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|198\.1[89]\.|0\.0\.0\.0$|\[::1\]$|\[f[cd])/;

const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/**
 * Checks whether a host's name says that it is on the person's own machine or network: as an IP address of this machine or of a
 * local network, as `localhost`, as a single word, or by an ending such as `.local`. `host`: with a port or without.
 */
export function saysOwnNetwork(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
  if (ADDRESS.test(name)) return PRIVATE_ADDRESS.test(name);
  return !name.includes('.') || PRIVATE_ENDINGS.test(name);
}
