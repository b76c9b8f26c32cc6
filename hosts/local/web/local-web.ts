import { saysOwnNetwork } from '#lib/base/own-network.ts';
import { DocumentReader } from '#lib/documents/document-reader.ts';
import type { WebAccess } from '#lib/tools/capabilities/web.ts';
import type { EgressRecord } from '#lib/tools/egress/egress.ts';
import { hostOf } from '#lib/tools/egress/reached-hosts.ts';
import { FetchedWeb } from '#lib/web/fetched-web.ts';
import { type AddressPolicy, checkedFetch, type ForeignAddress } from '#net/checked-fetch.ts';
import { startReader } from '../start-reader.ts';

/** The addresses that requests may reach: also those of the person’s own machine and network, but no metadata services. */
const POLICY: AddressPolicy = { allowsPrivate: true, allowedHosts: new Set(), ownPort: 0 };

/** Rules for reaching the web. */
interface LocalWebOptions {
  policy?: AddressPolicy;
  /** Hosts that may be in a private network although their names do not look like it, as `hostOf` names them. */
  listed?: readonly string[];
}

/**
 * Returns the access to the web for the command line: from this process, with the address checks of the studio’s server.
 * `egress`: gets each request that is sent. `policy`: the addresses that may be reached; by default, those of the person's own
 * machine and network, too. `listed`: hosts that may be in a private network although their names do not look like it.
 */
export function localWeb(
  egress: Pick<EgressRecord, 'sent'>,
  { policy = POLICY, listed = [] }: LocalWebOptions = {},
): WebAccess {
  const fetchChecked = checkedFetch(policy);
  const foreign: ForeignAddress = {
    mayBePrivate: (url) => saysOwnNetwork(url.host) || listed.includes(hostOf(url)),
    place: 'the configuration, under web.allow',
  };
  return new FetchedWeb({
    fetch: (input, init) => fetchChecked(input, init, { redirects: 'return', foreign }),
    refusalOf: (error) => (isRefusal(error) ? error.problem.detail : undefined),
    reader: new DocumentReader(startReader),
    egress,
  });
}

/**
 * Checks whether an error is a `StepError` for a refused address. Does not import the class, whose module would load the
 * agent’s code.
 */
const isRefusal = (error: unknown): error is { problem: { detail: string } } =>
  error instanceof Error &&
  'problem' in error &&
  (error.problem as { code?: unknown } | undefined)?.code === 'address-refused';
