import { DIAGRAM_FRAME_PATH, PREVIEW_FRAME_PATH, SANDBOX_FRAME_PATH } from './frame-document.ts';

/**
 * The web host that a frame is loaded from. `own`: one that only this session uses, so that a busy session does not block
 * anything else. `swapped`: the other one of this machine's names `localhost` and `127.0.0.1`. `same`: the studio's own host,
 * if nothing else is available.
 */
export interface FrameHost {
  kind: 'own' | 'swapped' | 'same';
  origin: string;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The web hosts to try for a session, best first. `sandboxOrigin` is configured by the operator, such as
 * `https://*.sandbox.example`. Without one, subdomains of `localhost` are used if the page's own host is this machine;
 * anywhere else, they would point to the visitor's machine. `label`: takes the place of the `*`; unique to the session.
 */
export function frameHosts(pageOrigin: string, sandboxOrigin: string | undefined, label: string): FrameHost[] {
  const { own, swapped } = otherOrigins(pageOrigin, sandboxOrigin);
  const hosts: FrameHost[] = [];
  if (own !== undefined) hosts.push({ kind: 'own', origin: own.replace('*', label) });
  if (swapped !== undefined) hosts.push({ kind: 'swapped', origin: swapped });
  return [...hosts, { kind: 'same', origin: pageOrigin }];
}

/**
 * The sources for a content security policy that allow frames on all hosts of `frameHosts`: exactly the frames' paths on
 * each.
 */
export function frameSources(pageOrigin: string, sandboxOrigin: string | undefined): string[] {
  const { own, swapped } = otherOrigins(pageOrigin, sandboxOrigin);
  return [own, swapped, pageOrigin].flatMap((origin) =>
    origin === undefined
      ? []
      : [SANDBOX_FRAME_PATH, PREVIEW_FRAME_PATH, DIAGRAM_FRAME_PATH].map((path) => `${origin}${path}`),
  );
}

/**
 * Checks whether a web host serves only frames: a subdomain of `localhost`, or one that `sandboxOrigin` stands for (see
 * `frameHosts`). `host`: the `Host` header of a request, possibly with a port.
 */
export function isFrameHost(host: string, sandboxOrigin: string | undefined): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  if (name.endsWith('.localhost')) return true;
  const suffix = sandboxOrigin === undefined ? undefined : /^https?:\/\/\*(\.[^:/]+)/.exec(sandboxOrigin)?.[1];
  return suffix !== undefined && name.endsWith(suffix.toLowerCase());
}

function otherOrigins(pageOrigin: string, sandboxOrigin: string | undefined) {
  const { protocol, hostname, port } = new URL(pageOrigin);
  const at = (name: string) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`;
  const isLoopback = LOOPBACK.has(hostname);
  return {
    own: sandboxOrigin ?? (isLoopback ? at('*.localhost') : undefined),
    swapped: isLoopback ? at(hostname === 'localhost' ? '127.0.0.1' : 'localhost') : undefined,
  };
}
