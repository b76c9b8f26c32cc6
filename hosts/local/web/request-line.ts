import type { EgressRequest } from '#lib/tools/core/egress.ts';

/** A request in one line. */
export function requestLine({ host, status, sent, received, refused }: EgressRequest): string {
  const outcome = status === undefined ? [] : [`status ${status}, ${sent} bytes sent, ${received} received`];
  return [`request to ${host}`, ...outcome, ...(refused === undefined ? [] : [refused])].join(': ');
}
