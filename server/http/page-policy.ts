import { frameSources } from '#lib/sandbox/hosts.ts';

/**
 * Returns the content security policy of the studio's own page, at `origin`. Nothing comes from other sites; scripts are ours
 * by `nonce`; only the sandbox's exact paths can be framed, because a frame could otherwise leak data by navigating.
 * `sandboxOrigin`: the origin that the operator has set for the sandbox's frames; undefined if none is set.
 */
export function pagePolicy(origin: string, sandboxOrigin: string | undefined, nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The editor and the highlighter set styles by script.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    `frame-src ${frameSources(origin, sandboxOrigin).join(' ')}`,
    "frame-ancestors 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
