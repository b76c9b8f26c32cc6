import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { StepError } from '#lib/agent/problems.ts';
import { addressKind, isLoopback } from './addresses.ts';
import { directFetch } from './direct-fetch.ts';
import { withinLimits } from './limited-response.ts';
import { fetchThrough, proxyFor } from './proxy.ts';

/** The rules for calling addresses that a browser names. */
export interface AddressPolicy {
  /** Whether this machine and its network may be called, too. */
  allowsPrivate: boolean;
  /** Hosts that may be called whatever their address is, in lower case. An entry with a port allows only that port. */
  allowedHosts: ReadonlySet<string>;
  /** The studio's own port, which is never called on this machine. */
  ownPort: number;
}

/** Resolves a host's name to all of its IP addresses, like `dns.lookup` with `all`. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The lowest port that may be called besides 80 and 443: lower ones are for mail, shells, and other such services. */
const LOWEST_PORT = 1_024;

const refuse = (detail: string): never => {
  throw new StepError('address-refused', detail);
};

/** The port of an address; the protocol's default port if it names none. */
const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

function isAllowed(url: URL, { allowedHosts }: AddressPolicy): boolean {
  const name = url.hostname.toLowerCase();
  return [name, `${name}:${portOf(url)}`, name.replace(/^\[|\]$/g, '')].some((host) => allowedHosts.has(host));
}

/**
 * The additional rules for a URL that the model has named, rather than the person: its host may be in a private network only if
 * that is obvious or was allowed, because the person may see no more of it than its name.
 */
export interface ForeignAddress {
  /**
   * Checks whether an address may be in a private network, because its host's name says that it is, or because the person has
   * listed the host.
   */
  mayBePrivate(url: URL): boolean;
  /** The place where the person can list names that may be private, for error messages. */
  place: string;
}

/** Throws `StepError` `address-refused` unless `url` may be called at the IP address `address`. */
function checkAddress(url: URL, address: string, policy: AddressPolicy, foreign: ForeignAddress | undefined): void {
  if (portOf(url) === policy.ownPort && isLoopback(address)) refuse(`${url.host} is the studio itself.`);
  if (isAllowed(url, policy)) return;
  const kind = addressKind(address);
  // Where others use the studio, they are not told what names in its network mean.
  const place = policy.allowsPrivate && url.hostname !== address ? ` (${address})` : '';
  if (kind === 'refused') refuse(`The studio never calls ${url.host}${place}.`);
  if (kind === 'public') {
    if (url.protocol === 'http:') refuse(`Requests to ${url.origin} would cross the internet unencrypted. Use https.`);
    return;
  }
  if (!policy.allowsPrivate)
    refuse(
      `${url.host} is in a private network. This studio is open to others, so it calls those only if PERSONAL_ALLOWED_HOSTS names them.`,
    );
  if (foreign?.mayBePrivate(url) === false)
    refuse(
      `${url.host} is on this network (${address}), although its name does not say so. Call it by that address, or name it in ${foreign.place}.`,
    );
}

/** Checks everything about an address that is known before its name is resolved. Throws `StepError` `address-refused`. */
function checkUrl(url: URL, policy: AddressPolicy, foreign: ForeignAddress | undefined): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    refuse(`The studio only calls http: and https: addresses, not ${url.protocol}`);
  if (url.username !== '' || url.password !== '') refuse('The address must not contain a user name or a password.');
  const port = portOf(url);
  if (port !== 80 && port !== 443 && port < LOWEST_PORT)
    refuse(
      `The studio does not call port ${port} of ${url.hostname}: other services than web servers use it. Use port 80, 443, or one from ${LOWEST_PORT} on.`,
    );
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) checkAddress(url, literal, policy, foreign);
}

/** Options of a request. */
interface CheckedFetchOptions {
  /** `refuse`, the default: a redirect is an error. `return`: it is passed back as the response. */
  redirects?: 'refuse' | 'return';
  /** Set for an address that the model has named, rather than the person. */
  foreign?: ForeignAddress | undefined;
}

/**
 * `fetch` that calls only addresses that are allowed, and follows no redirects: by default a redirect is an error, with the
 * option `redirects: 'return'` it is the response. The option `foreign` is for an address that the model has named.
 */
export type CheckedFetch = (
  input: Parameters<typeof fetch>[0],
  init?: RequestInit,
  options?: CheckedFetchOptions,
) => Promise<Response>;

/**
 * Creates a `fetch` for URLs that a browser or a model names. A host's name is resolved once, and the connection goes to the
 * address that was checked, so a name that changes its address in between reaches nothing else; through a proxy, the connection
 * is the proxy's. The `fetch` rejects with `StepError`: `address-refused` for what the policy does not allow, and
 * `endpoint-error` for a redirect, unless its option `redirects` is `return`.
 */
export function checkedFetch(policy: AddressPolicy, resolve: Resolve = lookup): CheckedFetch {
  const request = async (
    input: Parameters<typeof fetch>[0],
    init: RequestInit = {},
    foreign?: ForeignAddress,
  ): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    checkUrl(url, policy, foreign);
    const check = (address: string): void => checkAddress(url, address, policy, foreign);
    const proxy = proxyFor(url);
    if (proxy !== undefined) {
      await checkKnown(url, { check, resolve, policy });
      return checked(await fetchThrough(proxy, input, init));
    }
    const lookUp = checkedLookup(check, resolve);
    const { Agent, fetch: undiciFetch } = await import('undici');
    const dispatcher = new Agent({ connect: { lookup: lookUp }, pipelining: 0 });
    try {
      // The types of undici and of Node's own fetch differ, although the classes do the same.
      const response = await undiciFetch(input as Parameters<typeof undiciFetch>[0], {
        ...(init as Parameters<typeof undiciFetch>[1]),
        dispatcher,
      });
      return await checked(response as unknown as Response);
    } catch (error) {
      throw refusalIn(error) ?? error;
    } finally {
      // The response's body is still read; the connection ends with it.
      void dispatcher.close();
    }
  };
  return (input, init, { redirects = 'refuse', foreign } = {}) =>
    redirects === 'return'
      ? request(input, { ...init, redirect: 'manual' }, foreign)
      : directFetch(input, init, (...given) => request(...given, foreign));
}

/**
 * Checks the host of a request that goes through a proxy, by the addresses that its name has here; where the proxy connects to
 * is up to the proxy. Behind a proxy, names outside often have no address here. Unless the policy lists such a host, it is
 * refused for http, for metadata services, and where private networks are not allowed. Rejects with `StepError`
 * `address-refused`.
 */
async function checkKnown(
  url: URL,
  { check, resolve, policy }: { check: (address: string) => void; resolve: Resolve; policy: AddressPolicy },
): Promise<void> {
  const { hostname } = url;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return;
  const addresses = await new Promise<LookupAddress[]>((done) =>
    resolve(hostname, { all: true }, (error, found) => done(error === null ? found : [])),
  );
  for (const { address } of addresses) check(address);
  if (addresses.length > 0 || isAllowed(url, policy)) return;
  if (url.protocol === 'http:')
    refuse(
      `Requests to ${url.origin} may cross the internet unencrypted. Use https, or name the host in PERSONAL_ALLOWED_HOSTS if it is in your own network.`,
    );
  if (!policy.allowsPrivate || METADATA_NAMES.has(hostname))
    refuse(
      `${url.host} has no address that this studio knows, so it cannot tell where a proxy would lead. It calls such a host only if PERSONAL_ALLOWED_HOSTS names it.`,
    );
}

/** Names of clouds' metadata services. */
const METADATA_NAMES: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata', 'instance-data']);

/**
 * Resolves with the response, whose body then has limits. Rejects with `StepError` for a status above 599, which no `Response`
 * can have.
 */
async function checked(response: Response): Promise<Response> {
  const { status } = response;
  if (status <= 599) return withinLimits(response);
  await response.body?.cancel();
  throw new StepError('endpoint-error', `The server answered with the status ${status}, which does not exist.`);
}

/**
 * Returns a lookup for a connection. It resolves a name once, and fails if one of the addresses may not be called, by `check`.
 */
function checkedLookup(check: (address: string) => void, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      try {
        if (addresses.length === 0) refuse(`${hostname} has no address.`);
        for (const { address } of addresses) check(address);
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '');
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
}

/** The `StepError` among an error's causes; undefined if there is none. */
function refusalIn(error: unknown): StepError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (cause instanceof StepError) return cause;
  return undefined;
}
