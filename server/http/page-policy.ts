import { frameSources } from '#lib/sandbox/hosts.ts';

/**
 * What the studio's own page may do. Nothing comes from elsewhere; scripts are ours by nonce; frames are the sandbox
 * at exactly its path, because a frame could otherwise carry data out by navigating itself.
 */
export function pagePolicy(origin: string, sandboxOrigin: string | undefined, nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The editor and the highlighter set styles from scripts.
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
