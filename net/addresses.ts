import ipaddr from 'ipaddr.js';

/** The kind of an address: on the internet, on this machine or its network, or one that is never called. */
type AddressKind = 'public' | 'private' | 'refused';

/**
 * Networks of one's own: this machine, local networks, and shared address space, in which VPNs such as Tailscale put
 * their machines.
 */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** The network for benchmarks, in which local proxies such as Clash answer for names. */
const BENCHMARKS = ipaddr.IPv4.parseCIDR('198.18.0.0/15');

/** Addresses of clouds' metadata services in private networks. Other metadata services have link-local addresses. */
const METADATA: ReadonlySet<string> = new Set(['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

/**
 * Returns the kind of an IP address: `public`, `private` (this machine or its network), or `refused` (never called), which
 * metadata services of clouds are, like everything that is not a unicast address. IPv6 addresses that stand for an IPv4
 * address, also by NAT64, have the kind of that address.
 */
export function addressKind(address: string): AddressKind {
  const text = address.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(text)) return 'refused';
  const parsed = meant(ipaddr.process(text));
  if (parsed === undefined || METADATA.has(parsed.toString())) return 'refused';
  if (parsed instanceof ipaddr.IPv4 && parsed.match(BENCHMARKS)) return 'private';
  const range = parsed.range();
  if (range === 'unicast') return 'public';
  return PRIVATE_RANGES.has(range) ? 'private' : 'refused';
}

/** Checks whether an IP address is this machine's own (loopback). */
export function isLoopback(address: string): boolean {
  const text = address.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback';
}

type Address = ReturnType<typeof ipaddr.process>;

/**
 * Returns the IPv4 address that an IPv6 address stands for by NAT64, or the given address if it stands for none. Undefined for
 * an IPv4-compatible IPv6 address, a form that is out of use.
 */
function meant(address: Address): Address | undefined {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const [high = 0, low = 0] = address.parts.slice(6);
  if (address.range() === 'rfc6052') return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
  // Addresses that begin with 96 zeros once stood for IPv4 addresses.
  const isCompatible = address.parts.slice(0, 6).every((part) => part === 0) && high !== 0;
  return isCompatible ? undefined : address;
}
