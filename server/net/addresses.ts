import ipaddr from 'ipaddr.js';

/** Who may be called: anybody on the internet, also this machine and its network, or nobody. */
export type AddressKind = 'public' | 'private' | 'refused';

/**
 * Networks of one's own: this machine, local networks, and shared address space, in which VPNs such as Tailscale put
 * their machines.
 */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * What kind of address an IP address is. Metadata services of clouds are link-local, so those are refused, like
 * everything that is not a unicast address. IPv6 addresses that stand for an IPv4 address are what that address is.
 */
export function addressKind(address: string): AddressKind {
  const text = address.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(text)) return 'refused';
  const range = ipaddr.process(text).range();
  if (range === 'unicast') return 'public';
  return PRIVATE_RANGES.has(range) ? 'private' : 'refused';
}
